package dev.stint.bench;

import dev.stint.apiserver.access.pki.Pki;
import dev.stint.model.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import tools.jackson.databind.node.ObjectNode;

/**
 * The cost of custom resources over TLS on the loopback interface. First the rate of creations of
 * objects whose kind has a schema of 800 KB and ten rules in CEL, in turns with ConfigMaps of the
 * same size; then the time and the heap for 1,000 definitions. The server is a separate process.
 *
 * <pre>
 * java -cp 'bench/target/stint-bench.jar' dev.stint.bench.CustomResourceLoad [REQUESTS] [ROUNDS] [DEFINITIONS] [KB EACH]
 * </pre>
 */
public final class CustomResourceLoad {
  private static final int CLIENTS = 8;
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

  private final ApiHost host;
  private final Pki keys;
  private final HttpClient client;
  private final AtomicInteger names = new AtomicInteger();

  private CustomResourceLoad(ApiHost host, Pki keys) throws Exception {
    this.host = host;
    this.keys = keys;
    this.client = HttpClient.newBuilder().sslContext(keys.adminContext()).build();
  }

  /** Prints both figures. */
  public static void main(String[] args) throws Exception {
    int requests = argument(args, 0, 8_000);
    int rounds = argument(args, 1, 5);
    int definitions = argument(args, 2, 1_000);
    int kilobytes = argument(args, 3, 20);
    with(List.of("-Xmx1g"), load -> load.compare(requests, rounds));
    with(List.of("-Xmx400m"), load -> load.install(definitions, kilobytes << 10));
  }

  private static int argument(String[] args, int index, int otherwise) {
    return args.length > index ? Integer.parseInt(args[index]) : otherwise;
  }

  /** A part of the benchmark. */
  private interface Part {
    void run(CustomResourceLoad load) throws Exception;
  }

  private static void with(List<String> options, Part part) throws Exception {
    Path data = Files.createTempDirectory("stint-custom-load");
    try (ApiHost host = ApiHost.start(data, options)) {
      Pki keys = Pki.open(data.resolve("pki"), InstantSource.system(), List.of());
      part.run(new CustomResourceLoad(host, keys));
    }
  }

  /** Creates config maps and custom objects in turns; prints the medians of both rates. */
  private void compare(int requests, int rounds) throws Exception {
    LargeDefinition large = new LargeDefinition("larges", 800_000);
    byte[] definition = large.definition();
    long begin = System.nanoTime();
    create(DEFINITIONS, definition);
    create(large.path("default"), large.object("first"));
    System.out.printf(
        "definition of %d KB and its first object: %d ms; objects of %d and %d bytes%n",
        definition.length / 1000,
        Duration.ofNanos(System.nanoTime() - begin).toMillis(),
        configMap("n-1").length,
        large.object("n-1").length);
    double[] plain = new double[rounds];
    double[] custom = new double[rounds];
    for (int round = -2; round < rounds; round++) {
      double ofConfigMaps = rate(requests, CONFIG_MAPS, CustomResourceLoad::configMap);
      double ofObjects = rate(requests, large.path("default"), large::object);
      if (round >= 0) {
        plain[round] = ofConfigMaps;
        custom[round] = ofObjects;
      }
    }
    Arrays.sort(plain);
    Arrays.sort(custom);
    System.out.printf(
        "creations per second: config maps %.0f, custom objects %.0f, ratio %.2f%n",
        plain[rounds / 2], custom[rounds / 2], custom[rounds / 2] / plain[rounds / 2]);
  }

  private static byte[] configMap(String name) {
    ObjectNode object = Json.object().put("apiVersion", "v1").put("kind", "ConfigMap");
    object.putObject("metadata").put("name", name);
    object.putObject("data").put("text", "x".repeat(1024));
    return Json.bytes(object);
  }

  private double rate(int requests, String path, Function<String, byte[]> object) throws Exception {
    Callable<Void> oneClient =
        () -> {
          for (int i = 0; i < requests / CLIENTS; i++) {
            create(path, object.apply("n-" + names.incrementAndGet()));
          }
          return null;
        };
    Duration used = host.cpu();
    long begin = System.nanoTime();
    try (ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
      List<Callable<Void>> tasks = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        tasks.add(oneClient);
      }
      for (Future<Void> done : threads.invokeAll(tasks)) {
        done.get();
      }
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    System.out.printf(
        "  %s: %.0f /s, %d us of server CPU each%n",
        path.substring(path.lastIndexOf('/') + 1),
        requests / seconds,
        host.cpu().minus(used).toNanos() / 1000 / requests);
    return requests / seconds;
  }

  /** Creates definitions one after the other, and an object of the last one. */
  private void install(int count, int bytes) throws Exception {
    long begin = System.nanoTime();
    Duration used = host.cpu();
    LargeDefinition last = new LargeDefinition("none", 0);
    for (int i = 0; i < count; i++) {
      last = new LargeDefinition("kinds" + i, bytes);
      create(DEFINITIONS, last.definition());
    }
    create(last.path("default"), last.object("first"));
    System.out.printf(
        "%d definitions of %d KB: %.1f s, %.1f s of server CPU, heap of %d MB in use%n",
        count,
        bytes >> 10,
        (System.nanoTime() - begin) / 1e9,
        host.cpu().minus(used).toMillis() / 1e3,
        host.heapInUse() >> 20);
  }

  private void create(String path, byte[] body) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(host.url() + path))
            .header("Authorization", "Bearer " + keys.adminToken())
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofByteArray(body))
            .build();
    HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
    if (answer.statusCode() != 201) {
      throw new IOException(path + ": " + answer.statusCode() + " " + answer.body());
    }
  }
}
