package dev.stint.bench;

import dev.stint.apiserver.access.pki.Pki;
import dev.stint.model.Json;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.node.ObjectNode;

/**
 * A load test of the API over TLS on the loopback interface: gets, lists of ten objects, creations
 * and patches that are acknowledged on disk, and events for 100 watchers. It reports the cost of
 * each to the server, which is a separate process and shares the machine's cores with the clients.
 *
 * <pre>
 * java -cp 'bench/target/stint-bench.jar' dev.stint.bench.ApiLoad [CLIENTS] [REQUESTS] [ROUNDS] [OPTIONS OF THE SERVER'S JVM]
 * </pre>
 */
public final class ApiLoad {
  private static final int WATCHERS = 100;
  private static final String OBJECTS = "/api/v1/namespaces/default/configmaps";

  private final ApiHost host;
  private final String token;
  private final Pki keys;
  private final int clients;
  private final int requests;
  private final int rounds;
  private final AtomicInteger names = new AtomicInteger();

  private ApiLoad(ApiHost host, Pki keys, int clients, int requests, int rounds) {
    this.host = host;
    this.keys = keys;
    this.token = keys.adminToken();
    this.clients = clients;
    this.requests = requests;
    this.rounds = rounds;
  }

  /** Prints the medians over all rounds, one line for each kind of load and version of HTTP. */
  public static void main(String[] args) throws Exception {
    int clients = args.length > 0 ? Integer.parseInt(args[0]) : 8;
    int requests = args.length > 1 ? Integer.parseInt(args[1]) : 10_000;
    int rounds = args.length > 2 ? Integer.parseInt(args[2]) : 5;
    Path data = Files.createTempDirectory("stint-api-load");
    List<String> options = List.of(args).subList(Math.min(3, args.length), args.length);
    try (ApiHost host = ApiHost.start(data, options)) {
      Pki keys = Pki.open(data.resolve("pki"), InstantSource.system(), List.of());
      new ApiLoad(host, keys, clients, requests, rounds).run();
    }
  }

  private void run() throws Exception {
    System.out.printf("%d clients, %d requests a round, %d rounds%n", clients, requests, rounds);
    for (HttpClient.Version version : HttpClient.Version.values()) {
      try (HttpClient client = client(version);
          ExecutorService threads = Executors.newFixedThreadPool(clients)) {
        ask(client, create("fixed"), 201, 409);
        for (int i = 0; i < 10; i++) {
          ask(client, create("ten-" + i), 201, 409);
        }
        measure(version, "gets", threads, () -> ask(client, get(OBJECTS + "/fixed"), 200));
        measure(
            version, "lists of 10", threads, () -> ask(client, get(OBJECTS + "?limit=10"), 200));
        measure(
            version,
            "creations on disk",
            threads,
            () -> ask(client, create("n-" + names.incrementAndGet()), 201));
        measure(version, "patches on disk", threads, () -> ask(client, patch(), 200));
        fanOut(version, client);
      }
    }
  }

  /** One request of one client. */
  private interface Step {
    void run() throws IOException, InterruptedException;
  }

  private void measure(HttpClient.Version version, String what, ExecutorService threads, Step step)
      throws Exception {
    double[] rates = new double[rounds];
    double[] costs = new double[rounds];
    long[] latencies = new long[0];
    for (int round = -1; round < rounds; round++) {
      Duration used = host.cpu();
      long begin = System.nanoTime();
      latencies = round(threads, step);
      if (round >= 0) {
        rates[round] = latencies.length * 1e9 / (System.nanoTime() - begin);
        costs[round] = host.cpu().minus(used).toNanos() / 1e3 / latencies.length;
      }
    }
    Arrays.sort(rates);
    Arrays.sort(costs);
    Arrays.sort(latencies);
    System.out.printf(
        "%s %s: %.0f /s, %.0f us of server CPU each; last round p50 %.2f ms, p99 %.2f ms%n",
        version,
        what,
        rates[rounds / 2],
        costs[rounds / 2],
        latencies[latencies.length / 2] / 1e6,
        latencies[latencies.length * 99 / 100] / 1e6);
  }

  /** Returns the duration of each request in nanoseconds. */
  private long[] round(ExecutorService threads, Step step) throws Exception {
    List<Callable<long[]>> tasks = new ArrayList<>();
    for (int c = 0; c < clients; c++) {
      tasks.add(() -> {
        long[] took = new long[requests / clients];
        for (int i = 0; i < took.length; i++) {
          long begin = System.nanoTime();
          step.run();
          took[i] = System.nanoTime() - begin;
        }
        return took;
      });
    }
    List<long[]> all = new ArrayList<>();
    for (Future<long[]> done : threads.invokeAll(tasks)) {
      all.add(done.get());
    }
    return all.stream().flatMapToLong(Arrays::stream).toArray();
  }

  /** Creates objects one after the other, and counts the events that the watchers receive. */
  private void fanOut(HttpClient.Version version, HttpClient client) throws Exception {
    int objects = Math.max(1, requests / WATCHERS);
    String selector = "?watch=1&resourceVersion=" + revision(client);
    CountDownLatch heard = new CountDownLatch(WATCHERS * objects);
    try (HttpClient watching = client(version)) {
      for (int w = 0; w < WATCHERS; w++) {
        InputStream events =
            watching.send(get(OBJECTS + selector), BodyHandlers.ofInputStream()).body();
        Thread.ofVirtual().start(() -> readEvents(events, heard));
      }
      Duration used = host.cpu();
      long begin = System.nanoTime();
      for (int i = 0; i < objects; i++) {
        ask(client, create("w-" + names.incrementAndGet()), 201);
      }
      heard.await();
      double seconds = (System.nanoTime() - begin) / 1e9;
      double cost = host.cpu().minus(used).toNanos() / 1e3 / (WATCHERS * objects);
      System.out.printf(
          "%s events to %d watchers: %.0f /s, %.0f us of server CPU each%n",
          version, WATCHERS, WATCHERS * objects / seconds, cost);
      watching.shutdownNow();
    }
  }

  private static void readEvents(InputStream events, CountDownLatch heard) {
    byte[] buffer = new byte[16 << 10];
    try (events) {
      for (int read = events.read(buffer); read >= 0; read = events.read(buffer)) {
        for (int i = 0; i < read; i++) {
          if (buffer[i] == '\n') {
            heard.countDown();
          }
        }
      }
    } catch (IOException ended) {
      // Its client is closed, so all events have arrived.
    }
  }

  private String revision(HttpClient client) throws IOException, InterruptedException {
    byte[] list = client.send(get(OBJECTS + "?limit=1"), BodyHandlers.ofByteArray()).body();
    return String.valueOf(
        Json.text(Json.objectAt(Json.parse(list), "metadata"), "resourceVersion"));
  }

  private HttpClient client(HttpClient.Version version) throws Exception {
    return HttpClient.newBuilder().version(version).sslContext(keys.adminContext()).build();
  }

  private HttpRequest get(String path) {
    return request(path).build();
  }

  private HttpRequest create(String name) {
    ObjectNode object = Json.object().put("apiVersion", "v1").put("kind", "ConfigMap");
    object.putObject("metadata").put("name", name);
    object.putObject("data").put("text", "x".repeat(1024));
    return request(OBJECTS)
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofByteArray(Json.bytes(object)))
        .build();
  }

  /** Returns a patch that changes the label of one of ten objects. */
  private HttpRequest patch() {
    int number = names.incrementAndGet();
    ObjectNode patch = Json.object();
    patch.putObject("metadata").putObject("labels").put("number", String.valueOf(number));
    return request(OBJECTS + "/ten-" + number % 10)
        .header("Content-Type", "application/merge-patch+json")
        .method("PATCH", BodyPublishers.ofByteArray(Json.bytes(patch)))
        .build();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(host.url() + path))
        .header("Authorization", "Bearer " + token);
  }

  private static void ask(HttpClient client, HttpRequest request, Integer... expected)
      throws IOException, InterruptedException {
    int code = client.send(request, BodyHandlers.ofByteArray()).statusCode();
    if (!List.of(expected).contains(code)) {
      throw new IOException(request.method() + " " + request.uri() + " returned " + code);
    }
  }
}
