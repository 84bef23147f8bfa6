/** An operator that makes Jobs, small enough to be read at once. */
@NullMarked
package dev.stint.examples.operator;

import org.jspecify.annotations.NullMarked;
