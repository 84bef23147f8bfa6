/** The flags and parts that {@code run}, {@code up} and {@code controller} share. */
@NullMarked
package dev.stint.cli.plane;

import org.jspecify.annotations.NullMarked;
