/**
 * From the text of a document, YAML or JSON, to trees, with every fault named by field and line.
 */
@NullMarked
package dev.stint.model.document;

import org.jspecify.annotations.NullMarked;
