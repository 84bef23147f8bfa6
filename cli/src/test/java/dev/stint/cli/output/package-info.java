/** Tests of the output of commands. */
@NullMarked
package dev.stint.cli.output;

import org.jspecify.annotations.NullMarked;
