/** Starts Jobs after other Jobs. */
@NullMarked
package dev.stint.controllers.after;

import org.jspecify.annotations.NullMarked;
