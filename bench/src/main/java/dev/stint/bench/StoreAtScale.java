package dev.stint.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stint.store.Precondition;
import dev.stint.store.Store;
import dev.stint.store.StoreOptions;
import dev.stint.store.engine.RocksEngine;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/**
 * Measures the costs of a large store: its start time, its heap, and the latency of durable writes,
 * with and without a concurrent compaction of the whole store.
 *
 * <pre>
 * java -Xmx4g -cp bench/target/stint-bench.jar dev.stint.bench.StoreAtScale DIR [PODS]
 * </pre>
 *
 * <p>The directory stays, so that a second run need not fill it again.
 */
public final class StoreAtScale {
  private static final int UNDER_WAY = 4096;
  private static final int WRITES = 20_000;

  private final Store store;
  private final String pod;
  private final Random random = new Random(1);

  private StoreAtScale(Store store, String pod) {
    this.store = store;
    this.pod = pod;
  }

  public static void main(String[] arguments) throws Exception {
    Path directory = Files.createDirectories(Path.of(arguments[0]));
    int pods = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 1_000_000;
    ExecutorService loop = Executors.newSingleThreadExecutor();
    ExecutorService disk = Executors.newSingleThreadExecutor();
    try {
      fill(directory, pods, loop, disk);
      measure(directory, loop, disk);
    } finally {
      loop.shutdown();
      disk.shutdown();
    }
  }

  private static void fill(Path directory, int pods, ExecutorService loop, ExecutorService disk)
      throws Exception {
    try (Store store =
        Store.open(RocksEngine.open(directory), loop, disk, StoreOptions.defaults())) {
      StoreAtScale writer = new StoreAtScale(store, sample());
      Semaphore places = new Semaphore(UNDER_WAY);
      for (int pod = store.list("").entries().size(); pod < pods; pod++) {
        places.acquire();
        writer.put(pod).whenComplete((_, _) -> places.release());
      }
      places.acquire(UNDER_WAY);
    }
  }

  private static void measure(Path directory, ExecutorService loop, ExecutorService disk)
      throws Exception {
    long start = System.nanoTime();
    RocksEngine engine = RocksEngine.open(directory);
    try (Store store = Store.open(engine, loop, disk, StoreOptions.defaults())) {
      double seconds = (System.nanoTime() - start) / 1e9;
      int pods = store.list("").entries().size();
      System.out.printf(Locale.ROOT, "%,d objects, start %.1f s%n", pods, seconds);
      System.out.printf(Locale.ROOT, "heap %,d bytes each%n", HeapInUse.bytes() / pods);
      StoreAtScale writer = new StoreAtScale(store, sample());
      writer.latencies("warm", pods);
      writer.latencies("without compaction", pods);
      CompletableFuture<?> compaction =
          CompletableFuture.runAsync(() -> compact(engine), Thread::startVirtualThread);
      int rounds = 0;
      while (!compaction.isDone()) {
        writer.latencies("during compaction", pods);
        rounds++;
      }
      System.out.println("rounds of writes during compaction: " + rounds);
      writer.latencies("without compaction", pods);
    }
  }

  private static void compact(RocksEngine engine) {
    try {
      engine.compact();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Prints the latencies of writes, each of which is durable before the next one begins. */
  private void latencies(String what, int pods) throws Exception {
    long[] nanos = new long[WRITES];
    for (int i = 0; i < WRITES; i++) {
      long start = System.nanoTime();
      put((int) (i * 7919L % pods)).get();
      nanos[i] = System.nanoTime() - start;
    }
    Arrays.sort(nanos);
    System.out.printf(
        Locale.ROOT,
        "%-20s p50 %.3f ms, p99 %.3f ms, worst %.1f ms%n",
        what,
        nanos[WRITES / 2] / 1e6,
        nanos[WRITES * 99 / 100] / 1e6,
        nanos[WRITES - 1] / 1e6);
  }

  private CompletableFuture<?> put(int index) {
    String value =
        pod.replace("@INDEX@", Integer.toString(index))
            .replace("@UID@", new UUID(random.nextLong(), random.nextLong()).toString());
    return store.put(
        "pods/default/j-" + index + "-abcde", value.getBytes(UTF_8), Precondition.any());
  }

  private static String sample() throws Exception {
    try (InputStream in = StoreAtScale.class.getResourceAsStream("finished-pod.json")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), UTF_8).strip();
    }
  }
}
