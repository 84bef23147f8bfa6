/** Fields of documents, and the faults in them. */
@NullMarked
package dev.stint.model.field;

import org.jspecify.annotations.NullMarked;
