/** Benchmarks that run by hand or in {@code bench/check}. */
@NullMarked
package dev.stint.bench;

import org.jspecify.annotations.NullMarked;
