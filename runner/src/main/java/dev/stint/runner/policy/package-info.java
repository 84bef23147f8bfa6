/** Decisions of a node agent about pods, containers and probes: no I/O, no clock, no threads. */
@NullMarked
package dev.stint.runner.policy;

import org.jspecify.annotations.NullMarked;
