/**
 * The whole system in one thread, from one seed: time that jumps, components that take turns as the
 * seed says, a disk and a machine that outlive the processes on them, and deaths at any moment.
 */
@NullMarked
package dev.stint.simulation;

import org.jspecify.annotations.NullMarked;
