/** What would become of a Job: the whole of it, many times over, in simulated time. */
@NullMarked
package dev.stint.cli.simulate;

import org.jspecify.annotations.NullMarked;
