package dev.stint.conformance.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import dev.stint.embedded.ControllerName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The recorded scenarios again, with the Job controller as a separate process.
 *
 * <p>It is slow because the scenarios wait for back-offs of Kubernetes, which are ten seconds and
 * more.
 */
@Order(1)
class ControllerScenariosTest {
  @TempDir private Path directory;

  @BeforeAll
  static void programs() {
    ExternalProgram.require("python3", "kubectl");
  }

  @Test
  @Covers("MB-20")
  void everyScenarioGoesAsRecordedOverHttps() throws Exception {
    Set<ControllerName> others = EnumSet.allOf(ControllerName.class);
    others.remove(ControllerName.JOB);
    others.remove(ControllerName.PODGC); // It was not there when they were recorded.
    others.remove(ControllerName.ROOTCA); // Nor was this.
    try (ServedApi served = ServedApi.withoutRuntime(directory, others)) {
      Process controller = controller(served);
      try {
        Path data = Path.of("").toAbsolutePath();
        String said =
            ExternalProgram.of(
                    directory,
                    "python3",
                    data.resolve("scenarios.py").toString(),
                    served.kubeconfig().toString(),
                    data.resolve("scenarios.json").toString(),
                    "check")
                .with("PYTHONDONTWRITEBYTECODE", "1")
                .run()
                .done()
                .text();
        assertThat(said).endsWith("28 passed, 0 failed");
        assertThat(Files.readString(directory.resolve("controller.log"))).doesNotContain("WARN");
      } finally {
        controller.destroyForcibly().waitFor();
      }
    }
  }

  private Process controller(ServedApi served) throws Exception {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xmx256m",
            "--sun-misc-unsafe-memory-access=allow",
            "-cp",
            System.getProperty("java.class.path"),
            JobControllerProgram.class.getName(),
            served.kubeconfig().toString());
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(directory.resolve("controller.log").toFile())
        .start();
  }
}
