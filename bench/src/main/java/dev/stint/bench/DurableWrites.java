package dev.stint.bench;

import dev.stint.runner.runtime.TrustAll;
import dev.stint.store.Precondition;
import dev.stint.store.Store;
import dev.stint.store.StoreOptions;
import dev.stint.store.engine.RocksEngine;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the durable writes per second, of 1.5 KiB each: of our store in this process and, if an
 * address is given, of an etcd over gRPC. They take turns on the same disk.
 *
 * <pre>
 * etcd --data-dir DIR/etcd --auto-tls --listen-client-urls https://127.0.0.1:2379 --advertise-client-urls https://127.0.0.1:2379 &amp;
 * java -cp bench/target/stint-bench.jar dev.stint.bench.DurableWrites DIR SECONDS [https://127.0.0.1:2379]
 * </pre>
 */
public final class DurableWrites {
  private static final int VALUE_BYTES = 1536;
  private static final int KEYS = 10_000;
  private static final int ROUNDS = 3;

  /** Writes one value durably. */
  @FunctionalInterface
  private interface Target {
    void put(String key, byte[] value) throws Exception;
  }

  private DurableWrites() {}

  public static void main(String[] arguments) throws Exception {
    Path directory = Files.createTempDirectory(Path.of(arguments[0]), "writes");
    double seconds = Double.parseDouble(arguments[1]);
    Target etcd = arguments.length > 2 ? etcd(arguments[2]) : null;
    ExecutorService loop = Executors.newSingleThreadExecutor();
    ExecutorService disk = Executors.newSingleThreadExecutor();
    try (Store store =
        Store.open(RocksEngine.open(directory), loop, disk, StoreOptions.defaults())) {
      Target ours = (key, value) -> store.put(key, value, Precondition.any()).get();
      for (int clients : List.of(1, 64)) {
        for (int round = 0; round < ROUNDS; round++) {
          print("stint", clients, perSecond(ours, clients, seconds));
          if (etcd != null) {
            print("etcd", clients, perSecond(etcd, clients, seconds));
          }
        }
      }
    } finally {
      loop.shutdown();
      disk.shutdown();
    }
  }

  private static void print(String what, int clients, double perSecond) {
    System.out.printf(Locale.ROOT, "%-6s %3d clients %10.0f writes/s%n", what, clients, perSecond);
  }

  private static double perSecond(Target target, int clients, double seconds) throws Exception {
    AtomicLong done = new AtomicLong();
    long start = System.nanoTime();
    long end = start + (long) (seconds * 1e9);
    try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
      List<Future<?>> working = new ArrayList<>();
      for (int client = 0; client < clients; client++) {
        Random random = new Random(client);
        working.add(
            threads.submit(() -> {
              byte[] value = new byte[VALUE_BYTES];
              while (System.nanoTime() < end) {
                random.nextBytes(value);
                target.put("registry/pods/" + random.nextInt(KEYS), value.clone());
                done.incrementAndGet();
              }
              return null;
            }));
      }
      for (Future<?> each : working) {
        each.get();
      }
    }
    return done.get() / ((System.nanoTime() - start) / 1e9);
  }

  private static Target etcd(String address) throws Exception {
    HttpClient client =
        HttpClient.newBuilder()
            .sslContext(TrustAll.context())
            .version(HttpClient.Version.HTTP_2)
            .build();
    URI put = URI.create(address + "/etcdserverpb.KV/Put");
    return (key, value) -> {
      HttpRequest request =
          HttpRequest.newBuilder(put)
              .header("content-type", "application/grpc")
              .POST(BodyPublishers.ofByteArray(message(key, value)))
              .build();
      HttpResponse<byte[]> response = client.send(request, BodyHandlers.ofByteArray());
      if (response.statusCode() != 200 || response.body().length < 5) {
        throw new IllegalStateException("etcd returned " + response + " " + response.headers());
      }
    };
  }

  /** Returns a gRPC frame with a {@code PutRequest} (1: key, 2: value). */
  private static byte[] message(String key, byte[] value) {
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    field(request, 1, key.getBytes(StandardCharsets.UTF_8));
    field(request, 2, value);
    int length = request.size();
    ByteArrayOutputStream framed = new ByteArrayOutputStream();
    framed.write(0);
    for (int shift = 24; shift >= 0; shift -= 8) {
      framed.write(length >> shift);
    }
    framed.writeBytes(request.toByteArray());
    return framed.toByteArray();
  }

  private static void field(ByteArrayOutputStream out, int number, byte[] bytes) {
    out.write(number << 3 | 2);
    int rest = bytes.length;
    while (rest > 0x7f) {
      out.write(rest & 0x7f | 0x80);
      rest >>>= 7;
    }
    out.write(rest);
    out.writeBytes(bytes);
  }
}
