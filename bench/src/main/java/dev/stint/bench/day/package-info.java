/** An hour of Jobs that come and go under {@code stint up}, and whether what it uses stays flat. */
@NullMarked
package dev.stint.bench.day;

import org.jspecify.annotations.NullMarked;
