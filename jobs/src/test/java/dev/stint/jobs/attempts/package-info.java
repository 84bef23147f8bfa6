/** Tests of what is known of attempts. */
@NullMarked
package dev.stint.jobs.attempts;

import org.jspecify.annotations.NullMarked;
