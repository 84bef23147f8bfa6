/** An operator that creates Jobs, small enough to read in one sitting. */
@NullMarked
package dev.stint.examples.operator;

import org.jspecify.annotations.NullMarked;
