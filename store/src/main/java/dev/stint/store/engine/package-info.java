/** The engines of a store: RocksDB, and a simulated one that crashes on demand. */
@NullMarked
package dev.stint.store.engine;

import org.jspecify.annotations.NullMarked;
