/** Objects of custom kinds: pruning, defaults and validation by a schema. */
@NullMarked
package dev.stint.apiextensions.value;

import org.jspecify.annotations.NullMarked;
