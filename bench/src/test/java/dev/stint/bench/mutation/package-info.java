@NullMarked
package dev.stint.bench.mutation;

import org.jspecify.annotations.NullMarked;
