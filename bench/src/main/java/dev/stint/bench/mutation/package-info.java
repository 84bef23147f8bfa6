/** Valid requests of all kinds, and changes that make most of them invalid. */
@NullMarked
package dev.stint.bench.mutation;

import org.jspecify.annotations.NullMarked;
