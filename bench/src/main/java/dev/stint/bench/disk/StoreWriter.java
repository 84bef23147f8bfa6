package dev.stint.bench.disk;

import dev.stint.store.Entry;
import dev.stint.store.Precondition;
import dev.stint.store.Store;
import dev.stint.store.StoreException;
import dev.stint.store.StoreOptions;
import dev.stint.store.engine.RocksEngine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/**
 * A process that writes to a store, and prints each write once it is acknowledged, and the key of
 * each deletion before it. Ends with status 3 if the store refuses to write.
 */
final class StoreWriter {
  private static final int WRITERS = 4;
  private static final int KEYS_PER_WRITER = 20;
  private static final int SHORTEST = 100;

  private final Store store;
  private final int maxBytes;

  private StoreWriter(Store store, int maxBytes) {
    this.store = store;
    this.maxBytes = maxBytes;
  }

  /** Arguments: directory, writes of each writer, the length of the longest value. */
  public static void main(String[] arguments) throws Exception {
    int writes = Integer.parseInt(arguments[1]);
    try (ExecutorService loop = Executors.newSingleThreadExecutor();
        ExecutorService disk = Executors.newSingleThreadExecutor();
        Store store = open(Path.of(arguments[0]), loop, disk)) {
      StoreWriter writer = new StoreWriter(store, Integer.parseInt(arguments[2]));
      List<Thread> threads =
          IntStream.range(0, WRITERS)
              .mapToObj(number -> Thread.ofPlatform().start(() -> writer.write(number, writes)))
              .toList();
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (IOException | StoreException refused) {
      System.err.println(refused.getMessage());
      System.exit(3);
    }
  }

  private static Store open(Path directory, ExecutorService loop, ExecutorService disk)
      throws IOException, StoreException {
    return Store.open(RocksEngine.open(directory), loop, disk, StoreOptions.defaults());
  }

  private void write(int number, int writes) {
    SplittableRandom random = new SplittableRandom(number);
    try {
      for (int i = 0; i < writes; i++) {
        String key = number + "-" + random.nextInt(KEYS_PER_WRITER);
        long seed = ((long) number << 32) + i;
        if (random.nextInt(5) > 0 || store.get(key) == null) {
          byte[] value = value(seed, SHORTEST + random.nextInt(maxBytes - SHORTEST));
          Entry entry = store.put(key, value, Precondition.any()).join();
          print(key, entry.revision(), seed, value.length);
        } else {
          System.out.println(key);
          print(key, store.delete(key, Precondition.any()).join(), seed, 0);
        }
      }
    } catch (CompletionException refused) {
      System.err.println(refused.getMessage());
      System.exit(3);
    }
  }

  private static void print(String key, long revision, long seed, int length) {
    System.out.println(key + " " + revision + " " + seed + " " + length);
  }

  /** Returns the value that a seed gives, which begins with the seed. */
  static byte[] value(long seed, int length) {
    byte[] value = new byte[length];
    new SplittableRandom(seed).nextBytes(value);
    return ByteBuffer.wrap(value).putLong(seed).array();
  }
}
