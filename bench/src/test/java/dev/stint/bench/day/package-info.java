@NullMarked
package dev.stint.bench.day;

import org.jspecify.annotations.NullMarked;
