package dev.stint.bench.disk;

import dev.stint.store.Entry;
import dev.stint.store.Store;
import dev.stint.store.StoreException;
import dev.stint.store.StoreOptions;
import dev.stint.store.engine.RocksEngine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** The content of a store that was opened. */
record OpenedStore(Map<String, Entry> entries, long revision) {

  /**
   * @throws IOException it cannot be opened
   */
  static OpenedStore read(Path directory) throws IOException {
    try (Store store =
        Store.open(RocksEngine.open(directory), Runnable::run, StoreOptions.defaults())) {
      Map<String, Entry> entries = new TreeMap<>();
      store.list("").entries().forEach(entry -> entries.put(entry.key(), entry));
      return new OpenedStore(entries, store.revision());
    } catch (StoreException refused) {
      throw new IOException(refused.getMessage(), refused);
    }
  }
}
