/** Tests of what is known of attempts. */
@NullMarked
package dev.stint.cli.attempts;

import org.jspecify.annotations.NullMarked;
