package dev.stint.engine;

import static dev.stint.engine.TestJobs.annotated;
import static dev.stint.engine.TestJobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.engine.pod.PodView;
import dev.stint.model.index.IndexSet;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.options.JobOptions;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Pods that do not start within their Job's startup deadline are failed attempts. */
class LateStartsTest {
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final Duration ALMOST = LIMIT.minusSeconds(1);
  private static final Duration SECOND = Duration.ofSeconds(1);

  private static EngineWorld world(String spec) {
    return new EngineWorld(annotated(job(spec), JobOptions.STARTUP_DEADLINE, "5m")).settle();
  }

  private static long failed(EngineWorld world) {
    return world.status.failed();
  }

  @Test
  void aPodThatDoesNotStartFailsAtItsDeadline() {
    EngineWorld world = world("{'completions':1,'parallelism':1,'backoffLimit':6}");
    Instant deadline = world.now.plus(LIMIT);
    assertThat(world.again).isEqualTo(deadline);
    world.pass(ALMOST);
    assertThat(failed(world)).isZero();
    world.pass(SECOND);
    assertThat(failed(world)).isEqualTo(1);
    assertThat(world.created).isEqualTo(1); // The back-off of a failure delays the next one.
    world.pass(Duration.ofSeconds(10));
    assertThat(world.created).isEqualTo(2);
    assertThat(world.again).isEqualTo(world.now.plus(LIMIT));
  }

  @Test
  void aPodThatRunsMayTakeAnyTime() {
    EngineWorld world = world("{'completionMode':'Indexed','completions':2,'parallelism':2}");
    world.pass(ALMOST);
    world.run(1);
    world.pass(SECOND);
    assertThat(failed(world)).isEqualTo(1);
    world.pass(Duration.ofHours(1));
    assertThat(world.attempts).containsEntry(0, 2).containsEntry(1, 1);
    assertThat(world.activeIndexes()).containsExactly(0, 1);
  }

  @Test
  void anIndexFailsOnceItsTriesAreOver() {
    EngineWorld world =
        world(
            "{'completionMode':'Indexed','completions':2,'parallelism':2,'backoffLimitPerIndex':1}");
    world.run(0);
    world.pass(LIMIT).pass(Duration.ofSeconds(10)).pass(LIMIT);
    assertThat(world.status.failedIndexes()).isEqualTo(IndexSet.of(1));
    assertThat(world.activeIndexes()).containsExactly(0);
  }

  @Test
  void aJobFailsByItsBackoffLimit() {
    EngineWorld world = world("{'completions':1,'parallelism':1,'backoffLimit':0}").pass(LIMIT);
    assertThat(world.status.conditions())
        .extracting(JobCondition::reason)
        .containsOnly("BackoffLimitExceeded");
  }

  @Test
  void theClockStartsAnewWithTheNextPod() {
    EngineWorld world = world("{'completions':1,'parallelism':1,'backoffLimit':6}").pass(ALMOST);
    world.job = suspended(true);
    world.pass(Duration.ofHours(1));
    assertThat(failed(world)).isZero();
    world.job = suspended(false);
    world.pass(ALMOST);
    assertThat(failed(world)).isZero();
    assertThat(world.again).isEqualTo(world.now.plus(LIMIT));
  }

  private static JobView suspended(boolean suspend) {
    String spec = "{'completions':1,'parallelism':1,'backoffLimit':6,'suspend':" + suspend + "}";
    return annotated(job(spec), JobOptions.STARTUP_DEADLINE, "5m");
  }

  @Test
  void noMoreAreEndedAtOnceThanAPlanMayChange() {
    EngineWorld world = world("{'completions':3,'parallelism':3,'backoffLimit':9}");
    world.options = new EngineOptions(world.options.backoff(), 500, 2);
    world.now = world.now.plus(LIMIT);
    assertThat(world.plan().overdue()).hasSize(2).allMatch(PodView::isActive);
    assertThat(world.plan().urgency()).isEqualTo(Plan.Urgency.NOW);
  }

  @Test
  void surplusPodsAreReleasedFirstAndAreNoFailures() {
    EngineWorld world = world("{'completions':3,'parallelism':3,'backoffLimit':9}");
    world.now = world.now.plus(LIMIT);
    world.job =
        annotated(
            job("{'completions':3,'parallelism':1,'backoffLimit':9}"),
            JobOptions.STARTUP_DEADLINE,
            "5m");
    assertThat(world.plan().release()).hasSize(2);
    assertThat(world.plan().overdue()).isEmpty();
  }

  @Test
  void theOldestAreEndedFirstAndTheNextOneIsWaitedFor() {
    EngineWorld world = world("{'completions':9,'parallelism':9}");
    world.pods.clear();
    Instant start = world.now;
    for (int second : new int[] {2, 0, 1, 5, 4}) {
      world.now = start.plusSeconds(second);
      world.create(new PodPlan(-1, 0, 0));
    }
    Instant now = start.plus(LIMIT).plusSeconds(2);
    LateStarts late = LateStarts.among(world.ledger().active(), LIMIT, 2, now);
    assertThat(late.overdue()).extracting(PodView::uid).containsExactly("pod-10", "pod-11");
    assertThat(late.next()).isEqualTo(now.plusSeconds(2));
  }
}
