/** Sets of completion indexes and their text form. */
@NullMarked
package dev.stint.model.index;

import org.jspecify.annotations.NullMarked;
