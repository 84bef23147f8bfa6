/** Delta compression of similar values in memory. */
@NullMarked
package dev.stint.store.pack;

import org.jspecify.annotations.NullMarked;
