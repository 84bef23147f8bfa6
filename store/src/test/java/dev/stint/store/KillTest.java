package dev.stint.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.store.engine.RocksEngine;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class KillTest {
  private static final int ROUNDS = 4;

  @TempDir private Path directory;

  @Test
  void whatAKilledProcessAcknowledgedIsThere() throws Exception {
    Random random = new Random(9);
    Map<String, Long> acknowledged = new HashMap<>();
    for (int round = 0; round < ROUNDS; round++) {
      acknowledged.putAll(killedAfter("r" + round, 200 + random.nextInt(3000)));
      assertAllThere(acknowledged);
    }
    assertThat(acknowledged).hasSizeGreaterThan(ROUNDS * 200);
  }

  /**
   * Starts a writer, kills it after some acknowledgements, and returns everything that it printed.
   */
  private Map<String, Long> killedAfter(String round, int lines)
      throws IOException, InterruptedException {
    Process writer = start(round);
    Map<String, Long> acknowledged = new HashMap<>();
    try (BufferedReader out =
        new BufferedReader(new InputStreamReader(writer.getInputStream(), UTF_8))) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        String[] parts = line.split(" ", -1);
        if (parts.length == 2 && !parts[1].isEmpty()) {
          acknowledged.put(parts[0], Long.parseLong(parts[1]));
        }
        if (acknowledged.size() == lines) {
          writer.toHandle().destroyForcibly();
        }
      }
    }
    assertThat(writer.waitFor()).isEqualTo(128 + 9);
    return acknowledged;
  }

  private Process start(String round) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx128m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            KilledWriter.class.getName(),
            directory.toString(),
            round)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private void assertAllThere(Map<String, Long> acknowledged) throws IOException, StoreException {
    try (Store store =
        Store.open(RocksEngine.open(directory), Runnable::run, StoreOptions.defaults())) {
      acknowledged.forEach((key, revision) -> assertThere(store.get(key), key, revision));
      long newest =
          store.list("").entries().stream().mapToLong(Entry::revision).max().orElseThrow();
      assertThat(store.revision()).isEqualTo(newest);
      assertThat(store.list("").entries())
          .as("as many entries as creations: no revision is lost or given twice")
          .hasSize((int) newest - 1)
          .allSatisfy(entry -> assertThere(entry, entry.key(), entry.revision()));
    }
  }

  private static void assertThere(@Nullable Entry entry, String key, long revision) {
    assertThat(entry).as(key).isNotNull();
    assertThat(entry.revision()).isEqualTo(revision);
    assertThat(entry.value()).isEqualTo(KilledWriter.value(key));
  }
}
