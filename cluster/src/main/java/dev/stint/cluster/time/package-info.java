/**
 * Simulated time: a clock, timers and serial executors that move only on request. A whole control
 * plane thus runs deterministically on one thread, as fast as it can.
 */
@NullMarked
package dev.stint.cluster.time;

import org.jspecify.annotations.NullMarked;
