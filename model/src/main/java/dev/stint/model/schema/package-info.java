/** What fields Kubernetes objects have, as data: read from {@code *.schema} files beside it. */
@NullMarked
package dev.stint.model.schema;

import org.jspecify.annotations.NullMarked;
