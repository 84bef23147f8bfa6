/** The Jobs of a {@code run} from their submission to the last line about them. */
@NullMarked
package dev.stint.cli.follow;

import org.jspecify.annotations.NullMarked;
