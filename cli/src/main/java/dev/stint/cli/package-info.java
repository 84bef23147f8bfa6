/** The commands, and the wiring of all modules. */
@NullMarked
package dev.stint.cli;

import org.jspecify.annotations.NullMarked;
