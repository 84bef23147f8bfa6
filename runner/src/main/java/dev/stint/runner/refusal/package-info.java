/** The refusals of pods that all runtimes of one machine share. */
@NullMarked
package dev.stint.runner.refusal;

import org.jspecify.annotations.NullMarked;
