@NullMarked
package dev.stint.store;

import org.jspecify.annotations.NullMarked;
