/**
 * Converts the text of documents, YAML or JSON, to trees, and reports every fault by field and
 * line.
 */
@NullMarked
package dev.stint.model.document;

import org.jspecify.annotations.NullMarked;
