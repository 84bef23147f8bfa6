package dev.stint.bench.robustness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

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
  private static final long SEED = 29;
  private static final int OPERATIONS = 100;

  /** Requests meet in another order in each run, so that one run alone may not show a fault. */
  private static final int MOST_RUNS = 10;

  private static final RobustnessRun.Load LOAD = new RobustnessRun.Load(3, 2, List.of("", "a"), 3);

  @TempDir private static Path keys;

  private static HistoryCheck.Report run(
      long seed, UnaryOperator<TestedApi> decorator, boolean syncs, List<FaultKind> faults)
      throws IOException, InterruptedException {
    HistoryRecorder recorder = new HistoryRecorder();
    RobustnessRun.Settings settings =
        new RobustnessRun.Settings(
            seed, Duration.ZERO, OPERATIONS, faults, Duration.ofMillis(800), LOAD);
    try (InProcessServer server = new InProcessServer(keys, recorder, decorator, syncs)) {
      RobustnessRun.Result result = new RobustnessRun(server, recorder, settings).run();
      assertThat(result.report().undecided()).isEmpty();
      return result.report();
    }
  }

  private static void assertIsFound(
      UnaryOperator<TestedApi> decorator, boolean syncs, List<FaultKind> faults)
      throws IOException, InterruptedException {
    for (int i = 0; i < MOST_RUNS; i++) {
      if (!run(SEED + i, decorator, syncs, faults).violations().isEmpty()) {
        return;
      }
    }
    fail("no law was broken in %d runs", MOST_RUNS);
  }

  @Test
  void aServerThatIsKilledBreaksNoLaw() throws Exception {
    assertThat(run(SEED, UnaryOperator.identity(), true, List.of(FaultKind.KILL)).violations())
        .isEmpty();
  }

  @Test
  void aServerThatAcknowledgesBeforeItSyncsIsFound() throws Exception {
    assertIsFound(UnaryOperator.identity(), false, List.of(FaultKind.KILL));
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
    assertIsFound(api -> new BrokenApi(api, fault), true, List.of());
  }
}
