package dev.stint.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stint.console.simulation.Prediction;
import dev.stint.harness.JobBuilder;
import dev.stint.jobs.attempts.ContainerAttemptView;
import dev.stint.model.KubeObject;
import dev.stint.runner.spec.ResourceAmount;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class ConsoleSimulatorTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final ConsoleSimulator SIMULATOR =
      new ConsoleSimulator(Path.of("/a/my data"), 3, new ResourceAmount(1500, 1 << 30));

  private static KubeObject job(int completions) {
    return JobBuilder.indexed("report")
        .completions(completions)
        .parallelism(completions)
        .spec("'backoffLimitPerIndex':0")
        .build();
  }

  /** Returns attempts of 1, 2, … seconds; those of every fourth index failed. */
  private static List<ContainerAttemptView> attempts(int count) {
    return IntStream.range(0, count).mapToObj(ConsoleSimulatorTest::attempt).toList();
  }

  private static ContainerAttemptView attempt(int index) {
    return attempt(index, index % 4 == 3 ? 1 : 0);
  }

  private static ContainerAttemptView attempt(int index, @Nullable Integer code) {
    return new ContainerAttemptView(
        index,
        1,
        "report-" + index,
        "main",
        0,
        code == null
            ? ContainerAttemptView.State.RUNNING
            : code == 0 ? ContainerAttemptView.State.SUCCEEDED : ContainerAttemptView.State.FAILED,
        code,
        null,
        "",
        "",
        START,
        code == null ? null : START.plusSeconds(index + 1),
        null,
        null,
        null);
  }

  private static Prediction.Runs simulated(KubeObject job, List<ContainerAttemptView> attempts) {
    return (Prediction.Runs) SIMULATOR.simulate(job, attempts, () -> {});
  }

  private static String why(ConsoleSimulator simulator, List<ContainerAttemptView> attempts) {
    return ((Prediction.None) simulator.simulate(job(4), attempts, () -> {})).why();
  }

  @Test
  void theSameAttemptsGiveTheSamePicture() {
    Prediction.Runs runs = simulated(job(4), attempts(8));
    assertThat(runs.runs()).isEqualTo(100);
    assertThat(runs.complete()).isBetween(0.1, 0.6);
    assertThat(runs.wallTime().p50()).isBetween(4_000L, 14_000L);
    assertThat(runs.wallTime().p90()).isGreaterThan(runs.wallTime().p50());
    assertThat(runs.like()).startsWith("Like default/report: 8 attempts");
    assertThat(runs.warning()).isEmpty();
    assertThat(runs.picture())
        .contains("<title>Wall time of default/report: 100 runs, seed 1</title>")
        .contains("class=\"failed\"");
    assertThat(simulated(job(4), attempts(8))).isEqualTo(runs);
  }

  @Test
  void podsWaitForRoomAsOnThisServer() {
    Prediction.Runs runs = simulated(job(6), List.of(attempt(0, 0)));
    assertThat(runs.wallTime().p50()).isEqualTo(2_000);
    assertThat(runs.warning()).contains("1 attempt of default/report says little");
  }

  @Test
  void largeJobsAreNotSimulated() {
    assertThat(SIMULATOR.obstacle(job(500))).isEmpty();
    assertThat(SIMULATOR.obstacle(job(501))).contains("501 pods", "the limit is 500");
    assertThat(SIMULATOR.obstacle(JobBuilder.named("many").parallelism(501).build()))
        .contains("501 pods");
    ObjectNode tree = job(1).copy();
    ((ObjectNode) tree.at("/spec/template/spec/containers/0")).put("image", "x".repeat(9000));
    KubeObject large = KubeObject.of(tree);
    assertThat(SIMULATOR.obstacle(large)).contains("its document is too large");
  }

  @Test
  void aJobThatWouldNeverRunIsNotSimulated() {
    assertThat(SIMULATOR.obstacle(JobBuilder.named("none").parallelism(0).build()))
        .contains("parallelism is 0");
  }

  @Test
  void partsOfOtherJobsAndDevicesAreNotSimulated() {
    ObjectNode rerun = job(1).copy();
    rerun.withObjectProperty("metadata").putObject("annotations").put("stint.dev/rerun-of", "r");
    assertThat(SIMULATOR.obstacle(KubeObject.of(rerun))).contains("a part of another Job");
    ObjectNode devices = job(1).copy();
    ((ObjectNode) devices.at("/spec/template/spec/containers/0"))
        .putObject("resources")
        .putObject("limits")
        .put("nvidia.com/gpu", 1);
    assertThat(SIMULATOR.obstacle(KubeObject.of(devices))).contains("devices");
  }

  @Test
  void withoutAnAttemptThatEndedThereIsNothingToDrawFrom() {
    assertThat(why(SIMULATOR, List.of())).startsWith("no attempt has ended by itself yet");
    assertThat(why(SIMULATOR, List.of(attempt(0, null)))).startsWith("no attempt has ended");
  }

  @Test
  void theWorkIsBounded() {
    ConsoleSimulator strict =
        new ConsoleSimulator(Path.of("/a"), 3, ResourceAmount.UNLIMITED, 1000);
    assertThat(why(strict, attempts(8))).contains("takes too long here");
  }

  @Test
  void theWorkEndsWhenNobodyWaitsForIt() {
    assertThatExceptionOfType(CancellationException.class)
        .isThrownBy(() ->
            SIMULATOR.simulate(
                job(4),
                attempts(8),
                () -> {
                  throw new CancellationException();
                }));
  }

  @Test
  void theCommandHasTheSameRoomAndRuns() {
    assertThat(SIMULATOR.command(job(500)))
        .isEqualTo(
            "stint simulate FILE --like report --namespace default --data '/a/my data' --runs 10"
                + " --max-pods 3 --machine-cpu 1.5 --machine-memory 1073741824");
    assertThat(
            new ConsoleSimulator(Path.of("/a"), Integer.MAX_VALUE, ResourceAmount.UNLIMITED)
                .command(job(2)))
        .isEqualTo("stint simulate FILE --like report --namespace default --data /a --runs 100");
  }
}
