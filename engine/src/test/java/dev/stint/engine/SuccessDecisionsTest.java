package dev.stint.engine;

import static dev.stint.engine.TestJobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import dev.stint.engine.pod.PodView;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.job.JobStatus;
import dev.stint.model.pod.PodPhase;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Decisions about success policies, and their order with failures. */
class SuccessDecisionsTest {
  @Test
  @Covers({"SP-38", "SP-27", "SP-30"})
  void theLeadersSuccessEndsTheWorkersWhichAreNoFailures() {
    EngineWorld world =
        new EngineWorld(
                job(
                    "{'completionMode':'Indexed','completions':4,'parallelism':4,"
                        + "'successPolicy':{'rules':[{'succeededIndexes':'0'}]}}"))
            .settle();
    world.succeed(0);
    world.assertConditions("SuccessCriteriaMet", "Complete", "SuccessPolicy");
    assertThat(world.status.failed()).isZero();
    assertThat(world.status.succeeded()).isEqualTo(1);
    assertThat(world.status.condition("Complete").orElseThrow().message())
        .isEqualTo("Matched rules at index 0");
  }

  @Test
  @Covers({"MB-21", "MB-23", "SP-31", "MB-18"})
  void theTerminalConditionWaitsUntilLingeringPodsHaveStopped() {
    EngineWorld world =
        new EngineWorld(
                job(
                    "{'completionMode':'Indexed','completions':3,'parallelism':3,"
                        + "'successPolicy':{'rules':[{'succeededIndexes':'0'}]}}"))
            .settle();
    world.deletedPodsVanish = false;
    world.run(1);
    world.run(2);
    world.settle();
    assertThat(world.status.ready()).isEqualTo(2);
    world.succeed(0);
    world.assertConditions("SuccessCriteriaMet", "SuccessPolicy");
    assertThat(world.status.terminating()).isEqualTo(2);
    assertThat(world.status.ready()).isZero();
    assertThat(world.status.completionTime()).isNull();
    world.stopDeletedPods();
    world.settle();
    world.assertConditions("SuccessCriteriaMet", "Complete", "SuccessPolicy");
    assertThat(world.status.terminating()).isZero();
    assertThat(world.status.failed()).isZero();
  }

  @Test
  @Covers({"SP-28", "SP-62"})
  void aCountOfAnyIndexesIsEnough() {
    EngineWorld world =
        new EngineWorld(
                job(
                    "{'completionMode':'Indexed','completions':5,'parallelism':5,"
                        + "'successPolicy':{'rules':[{'succeededCount':3}]}}"))
            .settle();
    world.succeed(1).succeed(3);
    assertThat(world.status.conditions()).isEmpty();
    world.succeed(4);
    world.assertConditions("SuccessCriteriaMet", "Complete", "SuccessPolicy");
    assertThat(world.status.completedIndexes()).hasToString("1,3,4");
  }

  @Test
  @Covers({"SP-35", "SP-57", "SP-63", "SP-36"})
  void whereAFailurePolicyAndTheSuccessPolicyHoldAtOnceTheJobFails() {
    EngineWorld world =
        new EngineWorld(
                job(
                    "{'completionMode':'Indexed','completions':2,'parallelism':2,'backoffLimit':0,"
                        + "'successPolicy':{'rules':[{'succeededIndexes':'0'}]}}"))
            .settle();
    world.failQuietly(1, 1);
    world.succeed(0);
    world.assertConditions("FailureTarget", "Failed", "BackoffLimitExceeded");
  }

  @Test
  @Covers({"SP-34", "SP-36"})
  void onceTheSuccessCriteriaAreMetFailuresNoLongerMatter() {
    EngineWorld world =
        new EngineWorld(
                job(
                    "{'completionMode':'Indexed','completions':3,'parallelism':3,'backoffLimit':0,"
                        + "'successPolicy':{'rules':[{'succeededIndexes':'0'}]}}"))
            .settle();
    world.deletedPodsVanish = false;
    world.run(1);
    world.run(2);
    world.succeed(0);
    world.stopDeletedPods();
    world.settle();
    world.assertConditions("SuccessCriteriaMet", "Complete", "SuccessPolicy");
  }

  @Test
  @Covers({"SP-44", "SP-58"})
  void withTheGateOffASuccessPolicyIsNotLookedAt() {
    EngineWorld world =
        new EngineWorld(
            job(
                "{'completionMode':'Indexed','completions':2,'parallelism':2,"
                    + "'successPolicy':{'rules':[{'succeededIndexes':'0'}]}}"));
    world.gates = world.gates.with(Gate.JobSuccessPolicy, false);
    world.settle().succeed(0);
    assertThat(world.status.conditions()).isEmpty();
    world.gates = world.gates.with(Gate.JobSuccessPolicy, true);
    world.settle();
    world.assertConditions("SuccessCriteriaMet", "Complete", "SuccessPolicy");
  }

  @Test
  void theSurplusPodIsTheOneWhoseIndexHasSucceededMeanwhile() {
    EngineWorld world =
        new EngineWorld(job("{'completionMode':'Indexed','completions':3,'parallelism':3}"))
            .settle();
    world.deletedPodsVanish = false;
    world.options = new EngineOptions(world.options.backoff(), 1, 500);
    world.failQuietly(2, 1);
    world.syncAndDieAfter(1); // From now on the list of uncounted pods is full.
    PodView deleted = podOf(world, 0);
    world.delete(deleted.uid());
    world.now = world.now.plusSeconds(10);
    world.syncAndDieAfter(2);
    assertThat(world.activeIndexes()).containsExactly(0, 1, 2);
    world.run(0);
    world.pods.computeIfPresent(
        deleted.uid(),
        (_, pod) -> world.edit(pod, PodPhase.Succeeded, true, true, false, List.of()));
    assertThat(world.plan().release()).extracting(PodView::index).containsExactly(0);
  }

  @Test
  @Covers("BI-16")
  void anIndexThatHasFailedDoesNotSucceedByADeletedPodOfIt() {
    EngineWorld world =
        new EngineWorld(
                job(
                    "{'completionMode':'Indexed','completions':3,'parallelism':3,"
                        + "'backoffLimitPerIndex':1}"))
            .settle();
    world.deletedPodsVanish = false;
    world.options = new EngineOptions(world.options.backoff(), 1, 500);
    String deleted = podOf(world, 0).uid();
    world.delete(deleted);
    ObjectNode status = world.status.write();
    status.put("failedIndexes", "0").put("failed", 1).putObject("uncountedTerminatedPods");
    world.status = JobStatus.read(status);
    world.pods.computeIfPresent(
        deleted, (_, pod) -> world.edit(pod, PodPhase.Succeeded, true, true, false, List.of()));
    world.finish(podOf(world, 1).uid(), PodPhase.Succeeded);
    world.succeed(2);
    world.assertConditions("FailureTarget", "Failed", "FailedIndexes");
    assertThat(world.status.completedIndexes()).hasToString("1,2");
  }

  @Test
  void anIndexWithASuccessAndAFailureThatAreBothNewHasSucceeded() {
    EngineWorld world =
        new EngineWorld(
                job(
                    "{'completionMode':'Indexed','completions':2,'parallelism':2,"
                        + "'backoffLimitPerIndex':1}"))
            .settle();
    world.deletedPodsVanish = false;
    String deleted = podOf(world, 0).uid();
    world.delete(deleted);
    world.now = world.now.plusSeconds(10);
    world.syncAndDieAfter(1);
    assertThat(world.activeIndexes()).containsExactly(0, 1);
    world.failQuietly(0, 1);
    world.pods.computeIfPresent(
        deleted, (_, pod) -> world.edit(pod, PodPhase.Succeeded, true, true, false, List.of()));
    world.succeed(1);
    world.assertConditions("SuccessCriteriaMet", "Complete", "CompletionsReached");
    assertThat(world.status.completedIndexes()).hasToString("0,1");
  }

  /** As when somebody gives up its node, and has not read yet that the pod succeeded. */
  @Test
  void aListedSuccessStaysOneThoughItsPodLooksFailedSince() {
    EngineWorld world =
        new EngineWorld(job("{'completions':3,'parallelism':3,'backoffLimit':0}")).settle();
    String first = world.pods.keySet().iterator().next();
    world.finish(first, PodPhase.Succeeded);
    world.syncAndDieAfter(1);
    world.finish(first, PodPhase.Failed);
    world.now = world.now.plusSeconds(10); // No back-off delays another pod.
    assertThat(world.plan().create()).isEmpty();
    world.settle();
    assertThat(world.status.succeeded()).isOne();
    assertThat(world.status.failed()).isZero();
    assertThat(world.status.conditions()).isEmpty();
  }

  private static PodView podOf(EngineWorld world, int index) {
    return world.pods.values().stream()
        .filter(pod -> pod.index() == index)
        .findFirst()
        .orElseThrow();
  }
}
