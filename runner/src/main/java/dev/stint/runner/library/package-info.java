/** Calls to the C library. */
@NullMarked
package dev.stint.runner.library;

import org.jspecify.annotations.NullMarked;
