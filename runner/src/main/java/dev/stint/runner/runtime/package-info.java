/** The port to a container runtime, and a simulated runtime. */
@NullMarked
package dev.stint.runner.runtime;

import org.jspecify.annotations.NullMarked;
