/**
 * A whole control plane in one process: store, API, Job controller and node agent, wired together
 * and given threads.
 *
 * <p>The command line, the test kit and the benchmarks all start from here. The simulation wires
 * the same parts itself, since it gives them no threads.
 */
@NullMarked
package dev.stint.embedded;

import org.jspecify.annotations.NullMarked;
