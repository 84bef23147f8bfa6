/** Countable devices of this machine, such as GPUs: which there are, and which pod has which. */
@NullMarked
package dev.stint.runner.device;

import org.jspecify.annotations.NullMarked;
