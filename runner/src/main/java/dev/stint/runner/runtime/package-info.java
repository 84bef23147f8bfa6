/** The port to a container runtime, and a runtime that is simulated. */
@NullMarked
package dev.stint.runner.runtime;

import org.jspecify.annotations.NullMarked;
