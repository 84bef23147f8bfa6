package dev.stint.conformance.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.embedded.ControllerName;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Replays a conversation with a Kubernetes 1.36 API server, and compares the answers.
 *
 * <p>It is slow because the scenarios wait for back-offs of Kubernetes, which are ten seconds and
 * more.
 */
@Execution(ExecutionMode.CONCURRENT)
@Order(1)
class RecordedConversationTest {
  @TempDir Path directory;

  @BeforeAll
  static void programs() {
    ExternalProgram.require("python3", "kubectl");
  }

  @Test
  void everyRequestGetsTheRecordedAnswer() throws Exception {
    try (ServedApi served = ServedApi.withoutRuntime(directory, Set.of())) {
      String said = check(served, "conversation").done().text();
      assertThat(said).endsWith("151 passed, 0 failed");
    }
  }

  /** The player writes pod statuses in place of a kubelet. */
  @Test
  void everyScenarioGoesAsRecorded() throws Exception {
    Set<ControllerName> controllers = EnumSet.allOf(ControllerName.class);
    controllers.remove(ControllerName.PODGC); // It was not there when they were recorded.
    controllers.remove(ControllerName.ROOTCA); // Nor was this.
    try (ServedApi served = ServedApi.withoutRuntime(directory, controllers)) {
      String said = check(served, "scenarios").done().text();
      assertThat(said).endsWith("28 passed, 0 failed");
    }
  }

  private ExternalProgram.Result check(ServedApi served, String play) throws Exception {
    Path data = Path.of("").toAbsolutePath();
    ExternalProgram python =
        ExternalProgram.of(
                directory,
                "python3",
                data.resolve(play + ".py").toString(),
                served.kubeconfig().toString(),
                data.resolve(play + ".json").toString(),
                "check")
            .with("PYTHONDONTWRITEBYTECODE", "1");
    return python.run();
  }
}
