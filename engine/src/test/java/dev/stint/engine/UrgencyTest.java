package dev.stint.engine;

import static dev.stint.engine.TestJobs.annotated;
import static dev.stint.engine.TestJobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.engine.Plan.Urgency;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.job.options.JobOptions;
import dev.stint.model.pod.PodPhase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How soon the status of a plan is written. */
class UrgencyTest {
  private static final String INDEXED =
      "{'completionMode':'Indexed','completions':2,'parallelism':2";

  private static void assertUrgency(EngineWorld world, Urgency urgency) {
    assertThat(world.plan().status()).isNotNull();
    assertThat(world.plan().urgency()).isEqualTo(urgency);
  }

  @Test
  void theFirstStatusIsWrittenAtOnce() {
    assertUrgency(new EngineWorld(job("{}")), Urgency.NOW);
  }

  @Test
  void soIsOneWithAnEvent() {
    JobView job = annotated(job(INDEXED + "}"), JobOptions.EVICTED_IS_NOT_DONE, "true");
    EngineWorld world = new EngineWorld(job).settle();
    world.finish("pod-1", PodPhase.Succeeded);
    world.lookEvicted("pod-1");
    assertUrgency(world, Urgency.NOW);
  }

  @Test
  void aStatusThatOnlyCountsIsNot() {
    EngineWorld world = new EngineWorld(job(INDEXED + ",'backoffLimitPerIndex':0}")).settle();
    world.failQuietly(1, 1);
    assertUrgency(world, Urgency.COUNTS);
  }

  @ParameterizedTest
  @ValueSource(strings = {INDEXED, "{'completions':2,'parallelism':2"})
  void duringABackoffTheStatusMayWaitUnlessItCountsASuccess(String spec) {
    EngineWorld failure = new EngineWorld(job(spec + "}")).settle();
    failure.finish("pod-1", PodPhase.Failed);
    assertUrgency(failure, Urgency.LATER);
    EngineWorld both = new EngineWorld(job(spec + "}")).settle();
    both.finish("pod-0", PodPhase.Succeeded);
    both.now = both.now.plusSeconds(1);
    both.finish("pod-1", PodPhase.Failed);
    assertUrgency(both, Urgency.COUNTS);
  }

  @Test
  void soItIsWithoutListsOfUncountedPods() {
    EngineWorld world = new EngineWorld(job(INDEXED + "}"));
    world.gates = world.gates.with(Gate.JobTrackingWithoutLingeringPods, false);
    world.settle().failQuietly(1, 1);
    assertUrgency(world, Urgency.LATER);
  }

  @Test
  void onlyASuspendedJobToWhichNothingHasHappenedMayWait() {
    JobView suspended = job("{'parallelism':0,'suspend':true}");
    assertUrgency(new EngineWorld(suspended), Urgency.LATER);
    EngineWorld started = new EngineWorld(job("{'parallelism':0}")).settle();
    started.job = suspended;
    assertUrgency(started, Urgency.NOW);
    EngineWorld withPods = new EngineWorld(suspended);
    withPods.create(new PodPlan(-1, 0, 0));
    assertUrgency(withPods, Urgency.NOW);
  }
}
