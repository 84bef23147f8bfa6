/** Containers as process groups of this machine, without an image. */
@NullMarked
package dev.stint.runner.process;

import org.jspecify.annotations.NullMarked;
