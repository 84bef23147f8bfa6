/** Validation rules for the metadata of all objects. */
@NullMarked
package dev.stint.model.meta;

import org.jspecify.annotations.NullMarked;
