/** The shims that commands are children of, and how the end of a process is heard. */
@NullMarked
package dev.stint.runner.process.shim;

import org.jspecify.annotations.NullMarked;
