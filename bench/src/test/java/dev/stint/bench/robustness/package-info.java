@NullMarked
package dev.stint.bench.robustness;

import org.jspecify.annotations.NullMarked;
