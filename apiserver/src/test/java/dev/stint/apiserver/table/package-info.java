/** Tests of tables. */
@NullMarked
package dev.stint.apiserver.table;

import org.jspecify.annotations.NullMarked;
