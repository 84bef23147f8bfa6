package dev.stint.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import dev.stint.engine.pod.PodView;
import dev.stint.model.Kind;
import dev.stint.model.pod.PodPhase;
import dev.stint.runner.runtime.SimulatedRuntime.Outcome;
import dev.stint.simulation.RecordingCluster.Call;
import dev.stint.simulation.RecordingCluster.Verb;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Many pods, and a rate-limited client: the API is the bottleneck, as in the proposals' figures.
 * The duration is simulated time, so it is exact.
 */
class TrackingScaleTest {
  private final Testbed bed = new Testbed();

  private void finishAll() {
    bed.list(Kind.POD).stream()
        .filter(pod -> PodView.of(pod).isActive())
        .forEach(pod -> bed.finishQuietly(pod, PodPhase.Succeeded, 0));
  }

  private static String size(int pods) {
    return "'completions':%d,'parallelism':%d".formatted(pods, pods);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 10})
  @Covers({"TR-26", "TR-15"})
  void atFiftyRequestsASecondTwoToThreeThousandPodsAMinuteAreCounted(int jobs) {
    for (int i = 0; i < jobs; i++) {
      bed.create("j" + i, size(3500 / jobs));
    }
    bed.calls.requestsPerSecond = 50;
    bed.calls.sent.clear();
    finishAll();
    bed.pass(Duration.ofMinutes(1));
    long done = bed.list(Kind.POD).stream().map(PodView::of).filter(pod -> !pod.tracked()).count();
    assertThat(done).isBetween(2000L, 3000L);
    assertThat(bed.calls.count(Verb.STATUS, Kind.JOB) / jobs)
        .as("a round lets go of 500 pods and takes ten seconds then, with one status write")
        .isLessThanOrEqualTo(7);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 50})
  @Covers("TR-27")
  void fiveThousandPodsAMinuteAreCreatedAndCountedOnceTheClientMaySendSoMuch(int jobs) {
    bed.node((pod, random) -> new Outcome(Duration.ZERO, 0));
    bed.calls.requestsPerSecond = 200;
    for (int i = 0; i < jobs; i++) {
      bed.create("j" + i, "'completions':%1$d,'parallelism':%1$d".formatted(5000 / jobs));
    }
    bed.pass(Duration.ofMinutes(1));
    int succeeded = 0;
    for (int i = 0; i < jobs; i++) {
      succeeded += bed.status("j" + i).succeeded();
    }
    assertThat(succeeded).isEqualTo(5000);
  }

  @Test
  @Covers("TR-27")
  void podsAreCreatedBeforeAStatusIsWritten() {
    bed.create("j", "'completionMode':'Indexed','completions':4,'parallelism':2");
    bed.calls.sent.clear();
    finishAll();
    bed.settle();
    List<Verb> verbs =
        bed.calls.sent.stream()
            .filter(call -> call.of(Verb.CREATE, Kind.POD) || call.of(Verb.STATUS, Kind.JOB))
            .map(Call::verb)
            .limit(3)
            .toList();
    assertThat(verbs).containsExactly(Verb.CREATE, Verb.CREATE, Verb.STATUS);
  }

  @Test
  @Covers("TR-17")
  void aSmallJobFinishesDuringABigOne() {
    bed.create("big", size(3000));
    bed.calls.requestsPerSecond = 50;
    finishAll();
    bed.pass(Duration.ofSeconds(1));
    bed.create("small", size(3));
    bed.node((pod, random) -> new Outcome(Duration.ZERO, 0));
    bed.pass(Duration.ofSeconds(45));
    assertThat(bed.conditions("small")).contains("Complete");
    assertThat(bed.conditions("big")).doesNotContain("Complete");
    assertThat(bed.status("big").succeeded()).isBetween(1, 2500);
    bed.pass(Duration.ofSeconds(60));
    assertThat(bed.conditions("big")).contains("Complete");
  }

  @Test
  @Covers("TR-16")
  void statusesThatOnlyCountFailuresDuringABackoffAreBatchedForASecond() {
    bed.create("j", size(10));
    bed.fail("j", -1, 1).pass(Duration.ofSeconds(2));
    assertThat(bed.status("j").failed()).isEqualTo(1);
    bed.calls.sent.clear();
    for (int failure = 0; failure < 3; failure++) {
      bed.fail("j", -1, 1).pass(Duration.ofMillis(300));
      assertThat(bed.status("j").failed()).isEqualTo(1);
    }
    assertThat(bed.calls.count(Verb.STATUS, Kind.JOB)).isZero();
    bed.pass(Duration.ofMillis(200));
    assertThat(Objects.requireNonNull(bed.status("j").uncounted()).failed()).hasSize(3);
    bed.pass(Duration.ofSeconds(1));
    assertThat(bed.status("j").failed()).isEqualTo(4);
    assertThat(bed.calls.count(Verb.STATUS, Kind.JOB)).isEqualTo(2);
  }
}
