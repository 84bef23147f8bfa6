/** The whole system in one thread, from one seed. */
@NullMarked
package dev.stint.simulation;

import org.jspecify.annotations.NullMarked;
