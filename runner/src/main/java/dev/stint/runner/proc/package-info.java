/** The proc file system of Linux: the processes of this machine as the kernel shows them. */
@NullMarked
package dev.stint.runner.proc;

import org.jspecify.annotations.NullMarked;
