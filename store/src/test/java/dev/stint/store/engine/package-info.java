@NullMarked
package dev.stint.store.engine;

import org.jspecify.annotations.NullMarked;
