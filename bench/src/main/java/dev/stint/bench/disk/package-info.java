/** The files that a loss of power leaves, by a log of everything that was done to them. */
@NullMarked
package dev.stint.bench.disk;

import org.jspecify.annotations.NullMarked;
