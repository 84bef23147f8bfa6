package dev.stint.engine;

import static dev.stint.engine.TestJobs.annotated;
import static dev.stint.engine.TestJobs.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.stint.engine.pod.PodView;
import dev.stint.model.index.IndexSet;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobStatus;
import dev.stint.model.job.options.JobOptions;
import dev.stint.model.pod.PodPhase;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Indexes whose pods are evicted run again, whatever the exit code, if their Job says so. */
class EvictionsTest {
  private static final String FIRST = "pod-0";
  private static final Duration DELAY = Duration.ofMinutes(1);
  private static final String INDEXED =
      "{'completionMode':'Indexed','completions':2,'parallelism':2,'podReplacementPolicy':'Failed'";
  private static final String PER_INDEX = INDEXED + ",'backoffLimitPerIndex':1}";

  private static EngineWorld world(String value, String spec) {
    return new EngineWorld(annotated(job(spec), JobOptions.EVICTED_IS_NOT_DONE, value)).settle();
  }

  @Test
  void anEvictedIndexRunsAgain() {
    EngineWorld world = world("true", PER_INDEX);
    world.evict(1).pass(DELAY);
    assertThat(world.status.completedIndexes()).isEqualTo(IndexSet.EMPTY);
    assertThat(world.activeIndexes()).containsExactly(0, 1);
    assertThat(world.status.failed()).isOne();
    assertThat(world.events)
        .extracting(Plan.Event::reason, Plan.Event::message)
        .contains(
            tuple(
                "EvictedIsNotDone",
                "Exit code 0 does not count as success after a request from outside to end: pod "
                    + "j-1-pod-1"));
  }

  @Test
  void itIsDoneUnlessTheJobSaysSo() {
    for (String value : new String[] {"false", "maybe"}) {
      EngineWorld world = world(value, PER_INDEX);
      world.evict(1).pass(DELAY);
      assertThat(world.status.completedIndexes()).isEqualTo(IndexSet.of(1));
      assertThat(world.activeIndexes()).containsExactly(0);
    }
  }

  @Test
  void anEvictionCountsTowardsTheLimitOfItsIndex() {
    EngineWorld world = world("true", PER_INDEX);
    world.evict(1).pass(DELAY).evict(1).pass(DELAY);
    assertThat(world.status.failedIndexes()).isEqualTo(IndexSet.of(1));
  }

  @Test
  void aWorkQueueGoesOn() {
    EngineWorld world = world("true", "{'parallelism':1,'backoffLimit':3}");
    world.evict(PodView.NO_INDEX).pass(DELAY);
    assertThat(world.status.succeeded()).isZero();
    world.succeed(PodView.NO_INDEX);
    assertThat(world.status.isFinished()).isTrue();
    assertThat(world.status.succeeded()).isOne();
  }

  @Test
  void aRecordedSuccessStays() {
    for (String spec :
        new String[] {
          "{'completions':2,'parallelism':1,'backoffLimit':0}",
          INDEXED + ",'backoffLimit':0}",
          INDEXED + ",'backoffLimitPerIndex':0}"
        }) {
      EngineWorld world = world("true", spec);
      world.finish(FIRST, PodPhase.Succeeded);
      while (!isRecorded(world.status)) {
        assertThat(world.syncAndDieAfter(1)).isTrue();
      }
      world.lookEvicted(FIRST);
      world.settle();
      assertThat(world.status.succeeded()).isOne();
      assertThat(world.status.failed()).isZero();
      assertThat(world.status.conditions()).isEmpty();
      assertThat(world.pods.get(FIRST)).extracting(PodView::tracked).isEqualTo(false);
    }
  }

  @Test
  void aListedFailureStaysOneWhenAnotherPodOfItsIndexHasSucceeded() {
    EngineWorld world = world("true", INDEXED + ",'backoffLimit':0}");
    world.finish(FIRST, PodPhase.Succeeded);
    world.lookEvicted(FIRST);
    ObjectNode stored = world.status.write().put("completedIndexes", "0").put("succeeded", 1);
    stored.putObject("uncountedTerminatedPods").putArray("failed").add(FIRST);
    world.status = JobStatus.read(stored);
    assertThat(Objects.requireNonNull(world.plan().status()).conditions())
        .extracting(JobCondition::reason)
        .containsExactly("BackoffLimitExceeded");
  }

  private static boolean isRecorded(JobStatus status) {
    JobStatus.Uncounted uncounted = status.uncounted();
    return status.succeeded() > 0 || uncounted != null && !uncounted.succeeded().isEmpty();
  }

  @Test
  void aChangeOfTheAnnotationHoldsForPodsThatAreNotCounted() {
    JobView job = job(PER_INDEX);
    JobView asking = annotated(job, JobOptions.EVICTED_IS_NOT_DONE, "true");
    EngineWorld world = world("true", PER_INDEX);
    world.finish(FIRST, PodPhase.Succeeded);
    world.lookEvicted(FIRST);
    Ledger ledger = world.ledger();
    assertThat(ledger.trackedSuccesses()).isZero();
    ledger.setRules(Ledger.Rules.of(job, world.gates, world.options.backoff()));
    assertThat(ledger.trackedSuccesses()).isOne();
    ledger.setRules(Ledger.Rules.of(asking, world.gates, world.options.backoff()));
    assertThat(ledger.trackedSuccesses()).isZero();
  }

  /** An eviction is told of also if it fails the Job, or while the Job stands still or lingers. */
  @Test
  void anEvictionIsToldOfInEachStateOfTheJob() {
    EngineWorld failing = world("true", INDEXED + ",'backoffLimit':0}");
    failing.evict(1);
    EngineWorld suspended = world("true", INDEXED + "}");
    suspended.job =
        annotated(job(INDEXED + ",'suspend':true}"), JobOptions.EVICTED_IS_NOT_DONE, "true");
    suspended.evict(1);
    EngineWorld lingering =
        new EngineWorld(
                TestJobs.asking(
                    "{'completionMode':'Indexed','completions':3,'parallelism':3,"
                        + "'successPolicy':{'rules':[{'succeededIndexes':'0'}]}}",
                    JobOptions.EVICTED_IS_NOT_DONE,
                    "true",
                    JobOptions.LINGER,
                    "Continue"))
            .settle();
    lingering.succeed(0).evict(1);
    for (EngineWorld world : List.of(failing, suspended, lingering)) {
      assertThat(world.events).extracting(Plan.Event::reason).containsOnlyOnce("EvictedIsNotDone");
    }
  }
}
