package dev.stint.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.DeleteOptions;
import dev.stint.controllers.job.JobControllerOptions;
import dev.stint.covers.Covers;
import dev.stint.engine.pod.PodView;
import dev.stint.harness.PodBuilder;
import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.job.JobStatus.Uncounted;
import dev.stint.runner.runtime.SimulatedRuntime.Outcome;
import dev.stint.simulation.RecordingCluster.Call;
import dev.stint.simulation.RecordingCluster.Verb;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Pods that are tracked with a finalizer (KEP-2307). */
class TrackedPodsTest {
  private static final FeatureGates LEGACY =
      FeatureGates.DEFAULT.with(Gate.JobTrackingWithoutLingeringPods, false);

  private static KubeObject orphanOf(KubeObject job) {
    return PodBuilder.named("orphan")
        .label(Names.CONTROLLER_UID, job.uid())
        .label(Names.JOB_NAME, job.name())
        .build();
  }

  @Test
  @Covers("TR-22")
  void onePatchGivesAnOrphanBothItsOwnerAndTheFinalizer() {
    Testbed bed = new Testbed();
    KubeObject job = bed.create("j", "'completions':2,'parallelism':2");
    assertThat(bed.status("j").uncounted()).isEqualTo(Uncounted.NONE);
    bed.calls.sent.clear();
    bed.answer(bed.api.create(orphanOf(job)));
    bed.settle();
    List<Call> patches =
        bed.calls.sent.stream()
            .filter(call -> call.of(Verb.PATCH, Kind.POD) && call.ref().name().equals("orphan"))
            .toList();
    ObjectNode metadata =
        Objects.requireNonNull(Json.objectAt(patches.getFirst().body(), "metadata"));
    assertThat(metadata.get("finalizers").toString()).contains(Names.TRACKING_FINALIZER);
    assertThat(metadata.at("/ownerReferences/0/uid").asString()).isEqualTo(job.uid());
    assertThat(metadata.at("/ownerReferences/0/controller").asBoolean()).isTrue();
  }

  @Test
  @Covers("TR-24")
  void countedPodsStayUntilTheyAreDeletedByOthers() {
    Testbed bed = new Testbed();
    bed.create("j", "'completionMode':'Indexed','completions':3,'parallelism':3");
    bed.fail("j", 1, 1).pass(Duration.ofSeconds(10));
    bed.succeed("j", 0).succeed("j", 1).succeed("j", 2).pass(Duration.ofDays(1));
    assertThat(bed.conditions("j")).contains("Complete");
    assertThat(bed.views("j")).hasSize(4).allMatch(PodView::hasStopped).noneMatch(PodView::tracked);
    assertThat(bed.calls.count(Verb.DELETE, Kind.POD)).isZero();
    bed.delete(bed.pods("j").getFirst());
    assertThat(bed.pods("j")).hasSize(3);
  }

  @Test
  @Covers("TR-38")
  void aNodeRunsPodsWithAndWithoutTheFinalizerAlike() {
    List<String> statuses =
        List.of(FeatureGates.DEFAULT, LEGACY).stream()
            .map(gates -> {
              Testbed bed = new Testbed(Testbed.with(gates));
              bed.create("j", "'completionMode':'Indexed','completions':1,'parallelism':1");
              bed.node((pod, random) -> new Outcome(Duration.ofSeconds(10), 0));
              bed.pass(Duration.ofSeconds(5));
              assertThat(bed.views("j"))
                  .allMatch(pod -> pod.tracked() == (gates == FeatureGates.DEFAULT));
              bed.pass(Duration.ofSeconds(10));
              return Objects.requireNonNull(bed.pods("j").getFirst().status())
                  .toString()
                  .replaceAll("\"containerID\":\"[^\"]*\"", "");
            })
            .toList();
    assertThat(statuses.get(0)).contains("Succeeded").isEqualTo(statuses.get(1));
  }

  @Test
  @Covers("TR-38")
  void theFinalizerKeepsADeletedPodsObjectOnlyUntilItIsCounted() {
    Testbed bed = new Testbed();
    bed.create("j", "'completions':1,'parallelism':1");
    bed.node((pod, random) -> new Outcome(Duration.ofDays(1), 0));
    bed.pass(Duration.ofSeconds(5));
    KubeObject pod = bed.pods("j").getFirst();
    bed.calls.refusing =
        call ->
            call.of(Verb.STATUS, Kind.JOB)
                ? new ClusterException(Reason.UNAVAILABLE, "away")
                : null;
    bed.answer(bed.api.delete(pod.ref(), DeleteOptions.only(pod.uid())));
    bed.pass(Duration.ofMinutes(5));
    assertThat(bed.views("j").filter(PodView::hasStopped))
        .as("its process has ended, its object is there")
        .singleElement()
        .matches(PodView::tracked);
    bed.calls.refusing = _ -> null;
    bed.pass(Duration.ofMinutes(5));
    assertThat(bed.pods("j")).extracting(KubeObject::uid).isNotEmpty().doesNotContain(pod.uid());
    assertThat(bed.status("j").failed()).isEqualTo(1);
  }

  @Test
  @Covers("BI-48")
  void theMetricsAddsMinusDeletesAreTheFinishedPodsWithFinalizer() {
    Testbed bed = new Testbed(JobControllerOptions.DEFAULT);
    bed.create(
        "j", "'completionMode':'Indexed','completions':3,'parallelism':3,'backoffLimitPerIndex':3");
    bed.succeed("j", 0).fail("j", 1, 1).fail("j", 2, 1);
    assertThat(held(bed)).isEqualTo(2);
    assertThat(bed.views("j").filter(pod -> pod.hasStopped() && pod.tracked())).hasSize(2);
    bed.pass(Duration.ofSeconds(10));
    assertThat(held(bed)).isZero();
    assertThat(event(bed, "add")).isEqualTo(3);
    assertThat(bed.syncs()).isPositive();
  }

  private static double held(Testbed bed) {
    return event(bed, "add") - event(bed, "delete");
  }

  private static double event(Testbed bed, String event) {
    return bed.counted("job_controller_terminated_pods_tracking_finalizer", "event", event);
  }
}
