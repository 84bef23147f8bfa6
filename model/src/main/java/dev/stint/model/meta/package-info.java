/** What every object's metadata must be like. */
@NullMarked
package dev.stint.model.meta;

import org.jspecify.annotations.NullMarked;
