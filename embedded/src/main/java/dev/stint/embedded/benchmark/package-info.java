/** Measures how long Jobs take on this machine: the program behind {@code stint bench}. */
@NullMarked
package dev.stint.embedded.benchmark;

import org.jspecify.annotations.NullMarked;
