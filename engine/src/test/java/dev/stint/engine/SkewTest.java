package dev.stint.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.Json;
import dev.stint.model.field.FieldError;
import dev.stint.model.job.JobStatus;
import dev.stint.model.job.JobStatusValidation;
import dev.stint.model.pod.PodPhase;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** A controller and an API of different releases, or with different feature gates. */
class SkewTest {
  private static final int SEEDS = 40;

  /** An API that does not know yet that outcomes are announced and that ends are delayed. */
  private static final FeatureGates OLD =
      FeatureGates.DEFAULT.with(Gate.JobManagedBy, false).with(Gate.JobPodReplacementPolicy, false);

  private static final List<FeatureGates> APIS =
      List.of(
          FeatureGates.DEFAULT,
          FeatureGates.DEFAULT.with(Gate.JobManagedBy, false),
          FeatureGates.DEFAULT.with(Gate.JobPodReplacementPolicy, false));

  /** Returns an API's answers to successive writes of a Job's status. */
  private static List<FieldError> faults(String spec, List<JobStatus> statuses, FeatureGates api) {
    ObjectNode before = Json.object();
    before.set("spec", Json.parse(spec.replace('\'', '"')));
    for (JobStatus status : statuses) {
      ObjectNode after = before.deepCopy();
      after.set("status", status.write());
      List<FieldError> faults = JobStatusValidation.update(before, after, api);
      if (!faults.isEmpty()) {
        return faults;
      }
      before = after;
    }
    return List.of();
  }

  private static EngineWorld play(String spec, FeatureGates gates, Random random) {
    EngineWorld world = new EngineWorld(TestJobs.job(spec));
    world.gates = gates;
    world.deletedPodsVanish = random.nextBoolean();
    for (int step = 0; step < 3000 && !world.status.isFinished(); step++) {
      switch (random.nextInt(4)) {
        case 0 -> world.finishAny(random, 0.3);
        case 1 -> world.pass(Duration.ofSeconds(random.nextInt(60)));
        case 2 -> world.stopDeletedPods();
        default -> world.sync();
      }
    }
    assertThat(world.status.isFinished()).isTrue();
    return world;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'completions':5,'parallelism':3,'backoffLimit':2}",
        "{'completionMode':'Indexed','completions':5,'parallelism':3,'backoffLimit':3}",
        "{'completionMode':'Indexed','completions':6,'parallelism':3,'backoffLimitPerIndex':1}"
      })
  @Covers("MB-26")
  void anApiWithOneOfTheFeaturesAcceptsStatusesOfAControllerThatDelaysTheEnd(String spec) {
    for (long seed = 0; seed < SEEDS; seed++) {
      EngineWorld world = play(spec, FeatureGates.DEFAULT, new Random(seed));
      for (FeatureGates api : APIS) {
        assertThat(faults(spec, world.statuses, api)).as("seed %d", seed).isEmpty();
      }
    }
  }

  /**
   * The proposal's case: a controller that is one release ahead already announces ends. An older
   * API accepts that for Jobs with a success policy, and for failures.
   */
  @Test
  @Covers("MB-26")
  void statusesOfANewerControllerAreAcceptedIfTheApiKnowsTheCondition() {
    String policy =
        "{'completionMode':'Indexed','completions':4,'parallelism':2,"
            + "'successPolicy':{'rules':[{'succeededCount':3}]},'backoffLimit':2}";
    String failing = "{'completions':50,'parallelism':3,'backoffLimit':0}";
    for (long seed = 0; seed < SEEDS; seed++) {
      for (String spec : List.of(policy, failing)) {
        EngineWorld world = play(spec, FeatureGates.DEFAULT, new Random(seed));
        assertThat(faults(spec, world.statuses, OLD)).as("seed %d, %s", seed, spec).isEmpty();
      }
    }
  }

  /** Shows why the rule had to come one release after the delay. */
  @Test
  @Covers("MB-26")
  void theRuleRefusesStatusesOfAControllerThatDoesNotDelayTheEnd() {
    String spec = "{'completions':2,'parallelism':2,'backoffLimit':0}";
    EngineWorld world = new EngineWorld(TestJobs.job(spec));
    world.gates = OLD;
    world.deletedPodsVanish = false;
    world.settle().finish("pod-0", PodPhase.Failed);
    world.settle();
    assertThat(world.status.isFinished()).isTrue();
    assertThat(faults(spec, world.statuses, OLD)).isEmpty();
    assertThat(faults(spec, world.statuses, FeatureGates.DEFAULT))
        .extracting(FieldError::message)
        .singleElement()
        .asString()
        .contains("Failed needs FailureTarget");
  }
}
