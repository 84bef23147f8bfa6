@NullMarked
package dev.stint.embedded.benchmark;

import org.jspecify.annotations.NullMarked;
