@NullMarked
package dev.stint.bench.kills;

import org.jspecify.annotations.NullMarked;
