/** The commands, and where everything is wired together. */
@NullMarked
package dev.stint.cli;

import org.jspecify.annotations.NullMarked;
