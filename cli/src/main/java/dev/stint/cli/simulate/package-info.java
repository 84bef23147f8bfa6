/** Simulates a whole Job, many times over, in simulated time. */
@NullMarked
package dev.stint.cli.simulate;

import org.jspecify.annotations.NullMarked;
