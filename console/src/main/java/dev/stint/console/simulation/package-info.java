/** How long a Job would take if it ran again: bounded work for a page that asks. */
@NullMarked
package dev.stint.console.simulation;

import org.jspecify.annotations.NullMarked;
