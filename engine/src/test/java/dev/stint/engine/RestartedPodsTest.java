package dev.stint.engine;

import static dev.stint.engine.TestJobs.asking;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import dev.stint.engine.pod.PodView;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.index.IndexSet;
import dev.stint.model.job.options.JobOptions;
import dev.stint.model.pod.PodPhase;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Restarts of containers fail their index once there are too many, if the Job says so. */
class RestartedPodsTest {
  private static EngineWorld world(String value) {
    return new EngineWorld(
            asking(
                "{'completionMode':'Indexed','completions':2,'parallelism':2,"
                    + "'backoffLimitPerIndex':2,'maxFailedIndexes':1,"
                    + "'template':{'spec':{'restartPolicy':'OnFailure'}}}",
                JobOptions.RESTARTS_PER_INDEX,
                value))
        .settle();
  }

  private static String pod(EngineWorld world, int index) {
    return world.pods.values().stream()
        .filter(pod -> pod.index() == index && pod.isActive())
        .map(PodView::uid)
        .findFirst()
        .orElseThrow();
  }

  @Test
  @Covers("EX-29")
  void oneRestartTooManyFailsTheIndex() {
    EngineWorld world = world("true");
    world.restart(pod(world, 1), 2);
    world.settle();
    assertThat(world.activeIndexes()).containsExactly(0, 1);
    world.restart(pod(world, 1), 3);
    world.settle();
    assertThat(world.status.failedIndexes()).isEqualTo(IndexSet.of(1));
    assertThat(world.activeIndexes()).containsExactly(0);
    assertThat(world.created).isEqualTo(2);
  }

  @Test
  @Covers("EX-29")
  void aPodThatFailsHandsItsRestartsOn() {
    EngineWorld world = world("true");
    world.restart(pod(world, 1), 1);
    world.fail(1, 1).pass(Duration.ofMinutes(1));
    assertThat(world.pods.get(pod(world, 1))).extracting(PodView::failureCount).isEqualTo(2);
    world.restart(pod(world, 1), 1);
    world.settle();
    assertThat(world.status.failedIndexes()).isEqualTo(IndexSet.of(1));
  }

  @Test
  void aPodThatIsLateTooIsEndedOnce() {
    EngineWorld world =
        new EngineWorld(
                asking(
                    "{'completionMode':'Indexed','completions':1,'parallelism':1,"
                        + "'backoffLimitPerIndex':0,"
                        + "'template':{'spec':{'restartPolicy':'OnFailure'}}}",
                    JobOptions.RESTARTS_PER_INDEX,
                    "true",
                    JobOptions.STARTUP_DEADLINE,
                    "1m"))
            .settle();
    String uid = pod(world, 0);
    world.restart(uid, 1);
    world.pods.computeIfPresent(
        uid, (_, pod) -> world.edit(pod, PodPhase.Pending, true, false, false, List.of()));
    world.now = world.now.plus(Duration.ofMinutes(2));
    assertThat(world.plan().overdue()).extracting(PodView::uid).containsExactly(uid);
  }

  @Test
  void otherwiseContainersRestartForEver() {
    EngineWorld world = world("false");
    world.restart(pod(world, 1), 100);
    world.settle();
    assertThat(world.activeIndexes()).containsExactly(0, 1);
  }

  @Test
  void restartsCountOnceHoweverOftenTheRulesChange() {
    EngineWorld world = world("true");
    world.restart(pod(world, 1), 2);
    Ledger ledger = world.ledger();
    String uid = pod(world, 1);
    for (String value : new String[] {"false", "true"}) {
      JobView changed = world(value).job;
      ledger.setRules(Ledger.Rules.of(changed, world.gates, world.options.backoff()));
      assertThat(ledger.pod(uid))
          .extracting(PodView::failureCount)
          .isEqualTo(value.equals("true") ? 2 : 0);
      assertThat(ledger.seen(uid)).extracting(PodView::failureCount).isEqualTo(0);
    }
  }

  @Test
  void withoutTheGateOfLimitsPerIndexNoPodIsEnded() {
    EngineWorld world = world("true");
    world.gates = world.gates.with(Gate.JobBackoffLimitPerIndex, false);
    world.settle().restart(pod(world, 1), 3);
    assertThat(world.plan().overdue()).isEmpty();
  }

  @Test
  void surplusPodsAreReleasedFirst() {
    EngineWorld world = world("true");
    world.restart(pod(world, 1), 3);
    world.create(new PodPlan(0, 0, 0));
    assertThat(world.plan().release()).extracting(PodView::index).containsExactly(0);
    assertThat(world.plan().overdue()).isEmpty();
  }
}
