/** Outcomes of simulated attempts: assumed, or drawn from attempts that happened. */
@NullMarked
package dev.stint.cli.simulate.outcome;

import org.jspecify.annotations.NullMarked;
