/** What roles and bindings are: their defaults, and the rules that they must keep. */
@NullMarked
package dev.stint.model.access;

import org.jspecify.annotations.NullMarked;
