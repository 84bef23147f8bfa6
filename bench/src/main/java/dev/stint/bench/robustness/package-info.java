/** Loads a server while it is killed and its machine fails, and records what clients see. */
@NullMarked
package dev.stint.bench.robustness;

import org.jspecify.annotations.NullMarked;
