package dev.stint.conformance.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.embedded.ControllerName;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a Kubernetes 1.36 API server and its Job controller did, is done here too. */
class RecordedConversationTest {
  /** All that were on when the scenarios were recorded. */
  private static final Set<ControllerName> CONTROLLERS =
      Set.of(
          ControllerName.JOB,
          ControllerName.CRONJOB,
          ControllerName.TTL,
          ControllerName.GC,
          ControllerName.NAMESPACE,
          ControllerName.SERVICEACCOUNT);

  private static final String SCENARIOS_AT_ONCE = "28";

  @TempDir Path directory;

  @BeforeAll
  static void programs() {
    Tool.require("python3", "kubectl");
  }

  @Test
  void everyRequestGetsTheRecordedAnswer() throws Exception {
    try (Served served = Served.withoutRuntime(directory, Set.of())) {
      String said = check(served, "conversation").done().text();
      assertThat(said).endsWith("151 passed, 0 failed");
    }
  }

  @Test
  void everyJobTakesTheRecordedCourse() throws Exception {
    try (Served served = Served.withoutRuntime(directory, CONTROLLERS)) {
      String said = check(served, "scenarios", "--workers", SCENARIOS_AT_ONCE).done().text();
      assertThat(said).endsWith("28 passed, 0 failed");
    }
  }

  private Tool.Result check(Served served, String player, String... options) throws Exception {
    Path data = Path.of("").toAbsolutePath();
    Tool python =
        Tool.of(
                directory,
                "python3",
                data.resolve(player + ".py").toString(),
                served.kubeconfig().toString(),
                data.resolve(player + ".json").toString(),
                "check")
            .with("PYTHONDONTWRITEBYTECODE", "1");
    return python.run(options);
  }
}
