/** Performance bounds, and a program that checks them ({@code bench/check}). */
@NullMarked
package dev.stint.bench.bounds;

import org.jspecify.annotations.NullMarked;
