package dev.stint.bench.robustness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.bench.history.HistoryCheck;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Short runs, with a server that is right, and with others that are not: one each whose writes,
 * reads and watches have a fault. {@code -Dfaults} tries every fault. Tests of the laws have them
 * all.
 */
@Timeout(120)
class RobustnessRunTest {
  private static final int OPERATIONS = 100;
  private static final RobustnessRun.Load LOAD = new RobustnessRun.Load(3, 2, List.of("", "a"), 3);

  @TempDir private static Path keys;

  private static HistoryCheck.Report run(
      UnaryOperator<TestedApi> decorator, boolean syncs, List<FaultKind> faults)
      throws IOException, InterruptedException {
    HistoryRecorder recorder = new HistoryRecorder();
    RobustnessRun.Settings settings =
        new RobustnessRun.Settings(
            29, Duration.ZERO, OPERATIONS, faults, Duration.ofMillis(800), LOAD);
    try (InProcessServer server = new InProcessServer(keys, recorder, decorator, syncs)) {
      RobustnessRun.Result result = new RobustnessRun(server, recorder, settings).run();
      assertThat(result.report().undecided()).isEmpty();
      return result.report();
    }
  }

  @Test
  void aServerThatIsKilledBreaksNoLaw() throws Exception {
    assertThat(run(UnaryOperator.identity(), true, List.of(FaultKind.KILL)).violations()).isEmpty();
  }

  @Test
  void aServerThatAcknowledgesBeforeItSyncsIsFound() throws Exception {
    assertThat(run(UnaryOperator.identity(), false, List.of(FaultKind.KILL)).violations())
        .isNotEmpty();
  }

  static Stream<BrokenApi.Fault> faults() {
    return System.getProperty("faults") != null
        ? Stream.of(BrokenApi.Fault.values())
        : Stream.of(
            BrokenApi.Fault.FORGETS_DELETIONS,
            BrokenApi.Fault.LISTS_OLD_OBJECTS,
            BrokenApi.Fault.REPEATS_EVENTS);
  }

  @ParameterizedTest
  @MethodSource("faults")
  void aServerWithAFaultIsFound(BrokenApi.Fault fault) throws Exception {
    assertThat(run(api -> new BrokenApi(api, fault), true, List.of()).violations()).isNotEmpty();
  }
}
