package dev.stint.cli;

import dev.stint.apiserver.access.pki.Pki;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.ProcessSignals;
import dev.stint.embedded.data.DataLayout;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The server part of {@link CacheTraining}: runs an {@code up}, sends it a few requests over both
 * versions of HTTP, and ends it. Before the end, {@code ls} is its client, with the data directory
 * and with a kubeconfig. A second run starts on the keys and the data of the first.
 */
final class CacheTrainingServer {
  private static final String NAMESPACED = "/api/v1/namespaces/default/configmaps";
  private static final String OBJECT =
      """
      {"apiVersion":"v1","kind":"ConfigMap","metadata":{"generateName":"training-"},"data":{"a":"b"}}
      """;

  private final Path data;

  /**
   * @param scratch a directory for its files, which are left behind
   */
  CacheTrainingServer(Path scratch) {
    this.data = scratch.resolve("up");
  }

  void run() throws Exception {
    PipedInputStream printed = new PipedInputStream();
    Console console = CacheTraining.console(new PipedOutputStream(printed));
    CompletableFuture<Void> up =
        CompletableFuture.runAsync(() -> serve(console), Thread::startVirtualThread);
    sendRequests(CacheTraining.awaitServing(printed));
    Console quiet = CacheTraining.console(OutputStream.nullOutputStream());
    new StintCommand(quiet).run("ls", "--data", data.toString());
    new StintCommand(quiet).run("ls", "--kubeconfig", new DataLayout(data).kubeconfig().toString());
    ProcessSignals.raise("TERM");
    up.join();
  }

  private void serve(Console console) {
    String[] command = {"up", "--data", data.toString(), "--listen", "127.0.0.1:0"};
    new StintCommand(console).run(command);
    console.out().close();
  }

  private void sendRequests(String url) throws Exception {
    Pki keys = Pki.open(new DataLayout(data).keys(), InstantSource.system(), List.of());
    for (HttpClient.Version version : HttpClient.Version.values()) {
      try (HttpClient client =
          HttpClient.newBuilder().version(version).sslContext(keys.adminContext()).build()) {
        HttpRequest.Builder request =
            HttpRequest.newBuilder().header("Authorization", "Bearer " + keys.adminToken());
        for (String path :
            List.of("/readyz", "/version", "/console/", "/apis", NAMESPACED, "/nothing")) {
          client.send(request.uri(URI.create(url + path)).GET().build(), BodyHandlers.ofString());
        }
        client.send(
            request
                .uri(URI.create(url + NAMESPACED))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(OBJECT))
                .build(),
            BodyHandlers.ofString());
      }
    }
  }
}
