/** The output forms of {@code kubectl get}: tables, and objects reduced to their metadata. */
@NullMarked
package dev.stint.apiserver.table;

import org.jspecify.annotations.NullMarked;
