/**
 * The fields of Kubernetes objects, as data: read from {@code *.schema} files beside this package.
 */
@NullMarked
package dev.stint.model.schema;

import org.jspecify.annotations.NullMarked;
