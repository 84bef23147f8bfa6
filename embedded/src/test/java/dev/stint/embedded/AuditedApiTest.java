package dev.stint.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.audit.AuditSettings;
import dev.stint.apiserver.http.RequestMetrics;
import dev.stint.model.Json;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

class AuditedApiTest {
  private static final int WRITERS = 4;

  @TempDir private Path directory = Path.of("");

  /** Stops a server in the middle of writes. */
  @Test
  void anOrderlyStopLosesNoEventOfAnAcknowledgedWrite() throws Exception {
    Path file = directory.resolve("audit.log");
    Set<String> acknowledged = Collections.synchronizedSet(new HashSet<>());
    CountDownLatch begun = new CountDownLatch(50);
    Served served =
        new Served(
            directory.resolve("keys"),
            1000,
            RequestMetrics.NONE,
            AuditSettings.of(file.toString()));
    try (ExecutorService writers = Executors.newFixedThreadPool(WRITERS)) {
      for (int i = 0; i < WRITERS; i++) {
        String prefix = "w" + i + "-";
        writers.execute(() -> write(served, prefix, acknowledged, begun));
      }
      begun.await();
      served.close();
    }
    Set<String> recorded = new TreeSet<>();
    for (String line : Files.readAllLines(file)) {
      ObjectNode event = Json.parse(line);
      if (event.at("/responseStatus/code").intValue(0) == 201) {
        recorded.add(event.at("/objectRef/name").stringValue());
      }
    }
    assertThat(acknowledged).hasSizeGreaterThanOrEqualTo(50);
    assertThat(recorded).containsAll(acknowledged);
  }

  /** Creates objects until the server is gone. */
  private static void write(
      Served served, String prefix, Set<String> acknowledged, CountDownLatch begun) {
    HttpClient client = served.client(HttpClient.Version.HTTP_1_1);
    try (AutoCloseable _ = client::shutdownNow) {
      for (int i = 0; ; i++) {
        byte[] body = Json.bytes(named(prefix + i));
        int code =
            client
                .send(
                    served
                        .request(Served.CONFIG_MAPS)
                        .header("Content-Type", "application/json")
                        .timeout(Duration.ofMinutes(1))
                        .POST(BodyPublishers.ofByteArray(body))
                        .build(),
                    BodyHandlers.discarding())
                .statusCode();
        if (code == 201) {
          acknowledged.add(prefix + i);
          begun.countDown();
        }
      }
    } catch (Exception stopped) {
      // the server is gone
    }
  }

  private static ObjectNode named(String name) {
    ObjectNode tree = Served.configMap("x", "b").tree().deepCopy();
    tree.withObjectProperty("metadata").put("name", name);
    return tree;
  }
}
