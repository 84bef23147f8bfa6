package dev.stint.controllers.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.controllers.metrics.JobMetrics;
import dev.stint.covers.Covers;
import dev.stint.engine.EngineOptions;
import dev.stint.engine.JobView;
import dev.stint.engine.Ledger;
import dev.stint.engine.pod.PodView;
import dev.stint.harness.JobBuilder;
import dev.stint.harness.TestWorld;
import dev.stint.model.FeatureGates;
import dev.stint.model.KubeObject;
import dev.stint.model.pod.PodPhase;
import dev.stint.reconcile.ClusterRequests;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The memory that the controller itself uses for a large Job. */
class JobWorkHeapTest {
  private static final int PODS = 100_000;
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private static JobWork work() {
    KubeObject job = JobBuilder.indexed("large").uid("j").completions(PODS).build();
    Ledger.Rules rules =
        Ledger.Rules.of(JobView.of(job), FeatureGates.DEFAULT, EngineOptions.DEFAULT.backoff());
    return new JobWork(
        job, new Ledger(rules), new TestWorld().api, ClusterRequests.NOTHING, JobMetrics.NONE);
  }

  private static PodView pod(int index, PodPhase phase, boolean tracked) {
    return new PodView(
        "00000000-0000-0000-0000-" + (1_000_000 + index),
        "default",
        "large-" + index + "-x7k2p",
        Integer.toString(1_000_000 + index),
        index,
        phase,
        tracked,
        List.of(),
        false,
        true,
        false,
        0,
        NOW,
        NOW.plusSeconds(index),
        0,
        0,
        List.of(),
        List.of(),
        false,
        List.of());
  }

  /** Returns the used heap. Only every fourth collection compacts it completely. */
  private static long used() {
    Runtime runtime = Runtime.getRuntime();
    for (int i = 0; i < 4; i++) {
      System.gc();
    }
    return runtime.totalMemory() - runtime.freeMemory();
  }

  @Test
  @Covers("TR-29")
  void theHeapOfFinishedPodsIsFreedWithTheirFinalizers() {
    JobWork work = work();
    long empty = used();
    for (int i = 0; i < PODS; i++) {
      work.put(pod(i, PodPhase.Running, true));
      work.put(pod(i, PodPhase.Succeeded, true));
    }
    assertThat(work.ledger.accountable()).hasSize(PODS);
    long held = used() - empty;
    for (int i = 0; i < PODS; i++) {
      work.put(pod(i, PodPhase.Succeeded, false));
      work.remove(pod(i, PodPhase.Succeeded, false).uid());
    }
    long left = used() - empty;
    assertThat(work.ledger.size()).isZero();
    assertThat(work.ledger.tracked()).isEmpty();
    System.out.printf("of %d pods: held %,d bytes, left %,d%n", PODS, held, left);
    assertThat(held).isBetween(100L * PODS, 1500L * PODS);
    assertThat(left).isLessThan(held / 3);
  }
}
