/** Plays simulated worlds for hours: {@code build/soak}. */
@NullMarked
package dev.stint.simulation.soak;

import org.jspecify.annotations.NullMarked;
