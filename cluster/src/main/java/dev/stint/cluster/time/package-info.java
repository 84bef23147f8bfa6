/**
 * Time under control: a clock, timers and serial executors that move only when they are told to, so
 * that a whole control plane runs in one thread, as fast as it can, and the same way each time.
 */
@NullMarked
package dev.stint.cluster.time;

import org.jspecify.annotations.NullMarked;
