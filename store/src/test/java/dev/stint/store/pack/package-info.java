@NullMarked
package dev.stint.store.pack;

import org.jspecify.annotations.NullMarked;
