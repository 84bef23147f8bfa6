/** The shims, which are the parents of commands, and the watch for the ends of processes. */
@NullMarked
package dev.stint.runner.process.shim;

import org.jspecify.annotations.NullMarked;
