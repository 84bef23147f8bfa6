package dev.stint.controllers.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.controllers.metrics.JobMetrics;
import dev.stint.engine.EngineOptions;
import dev.stint.engine.JobView;
import dev.stint.engine.Ledger;
import dev.stint.engine.Plan;
import dev.stint.engine.pod.PodView;
import dev.stint.harness.JobBuilder;
import dev.stint.harness.PodBuilder;
import dev.stint.harness.TestWorld;
import dev.stint.model.FeatureGates;
import dev.stint.model.KubeObject;
import dev.stint.model.job.JobStatus;
import dev.stint.reconcile.ClusterRequests;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StatusDelayTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final Plan COUNTS = plan(JobStatus.EMPTY);
  private static final Plan IDLE = plan(null);

  private final JobWork work = work();
  private final StatusDelay delay =
      new StatusDelay(
          JobControllerOptions.DEFAULT.withLongestStatusDelay(Duration.ofSeconds(15)), dear());

  private static Plan plan(@Nullable JobStatus status) {
    return plan(status, Plan.Urgency.COUNTS, List.of());
  }

  private static Plan plan(
      @Nullable JobStatus status, Plan.Urgency urgency, List<PodView> finished) {
    return new Plan(List.of(), status, finished, List.of(), List.of(), List.of(), null, urgency);
  }

  private static JobWork work() {
    KubeObject job = JobBuilder.named("j").uid("j").spec("'completions':100").build();
    Ledger.Rules rules =
        Ledger.Rules.of(JobView.of(job), FeatureGates.DEFAULT, EngineOptions.DEFAULT.backoff());
    return new JobWork(
        job, new Ledger(rules), new TestWorld().api, ClusterRequests.NOTHING, JobMetrics.NONE);
  }

  /** Returns the cost of writes that are so slow that a status waits as long as it may. */
  private static WriteCost dear() {
    WriteCost cost = new WriteCost();
    cost.onOther(START, START.plusMillis(1));
    for (int i = 0; i < 4; i++) {
      cost.onStatus(START, START.plusMillis(500));
    }
    return cost;
  }

  private @Nullable Instant due(int second) {
    Plan now = delay.apply(work, COUNTS, START.plusSeconds(second));
    return now.status() == null ? now.again() : null;
  }

  @Test
  void aStatusWaitsFromItsFirstChangeOn() {
    assertThat(due(0)).isEqualTo(START.plusSeconds(15));
    assertThat(due(10)).isEqualTo(START.plusSeconds(15));
    assertThat(due(15)).isNull();
  }

  @Test
  void theNextChangesWaitAnew() {
    due(0);
    delay.onDone(work, COUNTS);
    assertThat(due(20)).isEqualTo(START.plusSeconds(35));
  }

  @Test
  void aBatchWithoutChangesIsForgotten() {
    due(0);
    delay.apply(work, IDLE, START.plusSeconds(1));
    assertThat(due(60)).isEqualTo(START.plusSeconds(75));
  }

  @Test
  void aStatusThatSomethingWaitsForIsWrittenNow() {
    Plan urgent = plan(JobStatus.EMPTY, Plan.Urgency.NOW, List.of());
    assertThat(delay.apply(work, urgent, START)).isEqualTo(urgent);
  }

  @Test
  void aStatusThatNobodyWaitsForWaitsForOnePeriod() {
    Plan later = plan(JobStatus.EMPTY, Plan.Urgency.LATER, List.of());
    Duration period = JobControllerOptions.DEFAULT.syncBatchPeriod();
    assertThat(delay.apply(work, later, START).again()).isEqualTo(START.plus(period));
    assertThat(delay.apply(work, later, START.plusMillis(1)).again()).isEqualTo(START.plus(period));
    assertThat(delay.apply(work, later, START.plus(period))).isEqualTo(later);
  }

  @Test
  void aClockThatIsSetBackMakesAStatusWaitForOnePeriodMoreAtMost() {
    Plan later = plan(JobStatus.EMPTY, Plan.Urgency.LATER, List.of());
    Duration period = JobControllerOptions.DEFAULT.syncBatchPeriod();
    delay.apply(work, later, START);
    Instant back = START.minus(Duration.ofHours(8));
    assertThat(delay.apply(work, later, back).again()).isEqualTo(back.plus(period));
    assertThat(delay.apply(work, later, back.plus(period))).isEqualTo(later);
  }

  @Test
  void theStatusOfADeletedJobDoesNotWait() {
    work.markDeleted();
    assertThat(delay.apply(work, COUNTS, START)).isEqualTo(COUNTS);
  }

  /** The Job has a hundred completions, and none of them is counted. */
  @Test
  void aStatusThatCountsHalfOfWhatIsLeftDoesNotWait() {
    List<PodView> pods =
        IntStream.range(0, 50)
            .mapToObj(i -> PodView.of(PodBuilder.named("p" + i).uid("p" + i).build()))
            .toList();
    Plan less = plan(JobStatus.EMPTY, Plan.Urgency.COUNTS, pods.subList(0, 49));
    assertThat(delay.apply(work, less, START).status()).isNull();
    Plan half = plan(JobStatus.EMPTY, Plan.Urgency.COUNTS, pods);
    assertThat(delay.apply(work, half, START)).isEqualTo(half);
  }
}
