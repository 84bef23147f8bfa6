/** Roles and bindings: their defaults and their validation rules. */
@NullMarked
package dev.stint.model.access;

import org.jspecify.annotations.NullMarked;
