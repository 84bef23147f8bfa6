@NullMarked
package dev.stint.bench.disk;

import org.jspecify.annotations.NullMarked;
