/** Objects as {@code kubectl get} shows them: tables, and objects cut down to their metadata. */
@NullMarked
package dev.stint.apiserver.table;

import org.jspecify.annotations.NullMarked;
