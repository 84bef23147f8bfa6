/** The output and the exit statuses of commands. */
@NullMarked
package dev.stint.cli.output;

import org.jspecify.annotations.NullMarked;
