package dev.stint.store;

import dev.stint.store.engine.RocksEngine;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A process that writes until it is killed, and prints each write once it is acknowledged. */
final class KilledWriter {
  private static final int WRITERS = 8;

  private KilledWriter() {}

  /** Arguments: directory, name of this round. */
  public static void main(String[] args) throws Exception {
    ExecutorService loop = Executors.newSingleThreadExecutor();
    Store store = Store.open(RocksEngine.open(Path.of(args[0])), loop, StoreOptions.defaults());
    for (int writer = 0; writer < WRITERS; writer++) {
      String prefix = args[1] + "-" + writer + "-";
      Thread.ofPlatform().start(() -> write(store, prefix));
    }
  }

  private static void write(Store store, String prefix) {
    for (int i = 0; true; i++) {
      String key = prefix + i;
      Entry entry = store.put(key, value(key), Precondition.absent()).join();
      System.out.println(key + " " + entry.revision());
    }
  }

  /** Derives the expected value from a key. */
  static byte[] value(String key) {
    byte[] value = new byte[1500];
    new Random(key.hashCode()).nextBytes(value);
    return ByteBuffer.wrap(value).putInt(key.hashCode()).array();
  }
}
