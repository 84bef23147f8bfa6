package dev.stint.bench.disk;

import dev.stint.store.Store;
import dev.stint.store.StoreOptions;
import dev.stint.store.engine.RocksEngine;
import java.nio.file.Path;

/** A process that opens a store, prints its revision, and ends without closing it. */
final class StoreOpener {
  private StoreOpener() {}

  /** Arguments: the directory of the store. */
  public static void main(String[] arguments) throws Exception {
    Store store =
        Store.open(RocksEngine.open(Path.of(arguments[0])), Runnable::run, StoreOptions.defaults());
    System.out.println(store.revision());
    Runtime.getRuntime().halt(0);
  }
}
