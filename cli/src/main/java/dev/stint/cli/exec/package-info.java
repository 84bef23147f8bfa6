/** {@code stint exec}: a command in a running container of a Job. */
@NullMarked
package dev.stint.cli.exec;

import org.jspecify.annotations.NullMarked;
