package dev.stint.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A {@code run} that is told to end, twice as by timeout(1) or by a closed terminal, and what is
 * shown of it later.
 */
class InterruptionTest {
  @TempDir private Path directory;

  private String data() {
    return "--data=" + directory.resolve("data");
  }

  private Recorded stint(String... args) {
    Recorded recorded = Recorded.plain();
    assertThat(recorded.run(args)).as(recorded.err().toString()).isZero();
    return recorded;
  }

  private Path job(String script) throws IOException {
    return Files.writeString(
        directory.resolve("job.yaml"),
        """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: polite}
        spec:
          template:
            spec:
              restartPolicy: Never
              containers:
              - name: main
                image: unused
                command: [sh, -c, 'cd %s; %s']
        """
            .formatted(directory, script));
  }

  private Path politeJob() throws IOException {
    return job(
        """
        trap "touch asked; sleep 0.5; touch ended; exit 0" TERM; touch begun; while true; do sleep 0.05; done\
        """);
  }

  private void awaitBegun(StintProcess run) {
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> Files.exists(directory.resolve("begun")) || !run.alive());
  }

  @Test
  void twoSignalsAtOnceLeaveTimeToEndAndTheJobIsInterrupted() throws Exception {
    StintProcess run = StintProcess.start(directory, "run", politeJob().toString(), data());
    awaitBegun(run);
    run.signal("TERM");
    run.signal("TERM");
    assertThat(run.exitStatus()).as(run.err()).isEqualTo(143);
    assertThat(directory.resolve("ended")).exists();
    assertThat(stint("ls", data()).out())
        .anyMatch(line -> line.matches("polite +Interrupted +0/1 +0 +0 .*"));
    assertThat(stint("show", "polite", data()).out())
        .contains("polite in default: Interrupted")
        .contains("  why: it was interrupted: its pods are stopped, and its successes are kept")
        .contains(
            "  next: stint run with the same file or list, or stint up, because no controller is running");
  }

  @Test
  void aClosedTerminalLeavesNoPodsBehind() throws Exception {
    assumeThat(isHangUpIgnored()).as("nohup started the tests").isFalse();
    StintProcess run = StintProcess.start(directory, "run", politeJob().toString(), data());
    awaitBegun(run);
    run.signal("HUP");
    assertThat(run.exitStatus()).as(run.err()).isEqualTo(129);
    assertThat(directory.resolve("ended")).exists();
    assertThat(stint("ls", data()).out())
        .anyMatch(line -> line.matches("polite +Interrupted +0/1 +0 +0 .*"));
  }

  private static boolean isHangUpIgnored() throws IOException {
    String ignored =
        Files.readAllLines(Path.of("/proc/self/status")).stream()
            .filter(line -> line.startsWith("SigIgn:"))
            .findFirst()
            .orElseThrow();
    return Character.digit(ignored.charAt(ignored.length() - 1), 16) % 2 == 1;
  }

  @Test
  void aClosedTerminalDoesNotReachWhatNohupStarted() throws Exception {
    String script = "touch begun; while [ ! -e go ]; do sleep 0.05; done";
    StintProcess run =
        StintProcess.startBy("nohup", directory, "run", job(script).toString(), data());
    awaitBegun(run);
    run.signal("HUP");
    Files.createFile(directory.resolve("go"));
    assertThat(run.exitStatus()).as(run.err()).isZero();
  }
}
