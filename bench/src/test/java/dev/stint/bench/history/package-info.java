@NullMarked
package dev.stint.bench.history;

import org.jspecify.annotations.NullMarked;
