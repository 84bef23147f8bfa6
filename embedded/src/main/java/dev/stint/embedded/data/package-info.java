/** The directory in which Stint keeps its state: the names of its files, and its lock. */
@NullMarked
package dev.stint.embedded.data;

import org.jspecify.annotations.NullMarked;
