@NullMarked
package dev.stint.bench.bounds;

import org.jspecify.annotations.NullMarked;
