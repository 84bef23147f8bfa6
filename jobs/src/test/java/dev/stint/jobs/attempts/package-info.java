/** Tests of the collection of attempts. */
@NullMarked
package dev.stint.jobs.attempts;

import org.jspecify.annotations.NullMarked;
