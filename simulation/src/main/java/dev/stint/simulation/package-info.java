/**
 * The whole system in one thread, from one seed: time jumps, components take turns in an order that
 * the seed determines, a disk and a machine outlive the processes on them, and processes may die at
 * any moment.
 */
@NullMarked
package dev.stint.simulation;

import org.jspecify.annotations.NullMarked;
