/** A durable, revisioned, watchable object store. */
@NullMarked
package dev.stint.store;

import org.jspecify.annotations.NullMarked;
