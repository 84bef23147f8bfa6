/** Where in a document something is wrong, and what. */
@NullMarked
package dev.stint.model.field;

import org.jspecify.annotations.NullMarked;
