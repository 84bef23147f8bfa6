package dev.stint.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.covers.Covers;
import dev.stint.engine.pod.PodView;
import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.job.JobStatus;
import dev.stint.model.job.JobStatus.Uncounted;
import dev.stint.model.pod.PodPhase;
import dev.stint.simulation.RecordingCluster.Call;
import dev.stint.simulation.RecordingCluster.Verb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** The requests that the accounting of KEP-2307 makes: their order and their number. */
class TrackingCallsTest {
  private static final FeatureGates LEGACY =
      FeatureGates.DEFAULT.with(Gate.JobTrackingWithoutLingeringPods, false);

  private static boolean untracks(Call call) {
    ObjectNode metadata = Json.objectAt(call.body(), "metadata");
    return call.of(Verb.PATCH, Kind.POD) && metadata != null && metadata.has("finalizers");
  }

  private static List<JobStatus> statuses(Testbed bed) {
    return bed.calls.sent.stream()
        .filter(call -> call.of(Verb.STATUS, Kind.JOB))
        .map(call -> JobStatus.read(Json.objectAt(call.body(), "status")))
        .toList();
  }

  private static Uncounted lists(JobStatus status) {
    return Objects.requireNonNull(status.uncounted());
  }

  private static Testbed running(FeatureGates gates, String mode, int pods) {
    Testbed bed = new Testbed(Testbed.with(gates));
    bed.create(
        "j",
        "'completionMode':'%s','completions':%d,'parallelism':%d"
            .formatted(mode, 2 * pods, 2 * pods));
    return bed;
  }

  /** Returns the requests of the controller after half of the pods finish at once. */
  private static List<Call> afterHalfHasFinished(Testbed bed, int pods) {
    bed.calls.sent.clear();
    bed.pods("j").stream()
        .limit(pods)
        .forEach(pod -> bed.finishQuietly(pod, PodPhase.Succeeded, 0));
    bed.settle();
    assertThat(bed.status("j").succeeded()).isEqualTo(pods);
    return List.copyOf(bed.calls.sent);
  }

  @Test
  @Covers("TR-01")
  void everyPodHasTheFinalizerInTheVeryRequestThatCreatesIt() {
    Testbed bed = new Testbed();
    bed.create("plain", "'completions':4,'parallelism':4");
    bed.create("indexed", "'completionMode':'Indexed','completions':4,'parallelism':4");
    List<Call> creations =
        bed.calls.sent.stream().filter(call -> call.of(Verb.CREATE, Kind.POD)).toList();
    assertThat(creations)
        .hasSize(8)
        .allSatisfy(call ->
            assertThat(KubeObject.of(Objects.requireNonNull(call.body())).finalizers())
                .containsExactly(Names.TRACKING_FINALIZER));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 10, 100})
  @Covers("TR-25")
  void trackingTakesOnePatchForEachPodThatFinishedAndOneStatusForAllOfThem(int pods) {
    Testbed tracked = running(FeatureGates.DEFAULT, "NonIndexed", pods);
    Testbed legacy = running(LEGACY, "NonIndexed", pods);
    assertThat(tracked.calls.sent)
        .extracting(Call::verb)
        .as("none more while pods are created")
        .containsExactlyElementsOf(legacy.calls.sent.stream().map(Call::verb).toList());
    int more =
        afterHalfHasFinished(tracked, pods).size() - afterHalfHasFinished(legacy, pods).size();
    assertThat(more).isEqualTo(pods + 1);
    assertThat(tracked.calls.count(TrackingCallsTest::untracks)).isEqualTo(pods);
  }

  @Test
  @Covers("TR-25")
  void podsOfIndexesNeedNoStatusBeyondTheOneThatRecordsTheIndexes() {
    Testbed bed = running(FeatureGates.DEFAULT, "Indexed", 10);
    List<Call> calls = afterHalfHasFinished(bed, 10);
    assertThat(calls).hasSize(11);
    assertThat(calls.getFirst().verb()).isEqualTo(Verb.STATUS);
    assertThat(calls.subList(1, 11)).allMatch(TrackingCallsTest::untracks);
  }

  @Test
  @Covers({"TR-08", "TR-10", "TR-13", "TR-39"})
  void uidsAreListedThenFinalizersComeOffThenOneStatusCountsAndClears() {
    Testbed bed = running(FeatureGates.DEFAULT, "NonIndexed", 3);
    List<KubeObject> pods = bed.pods("j");
    bed.calls.sent.clear();
    bed.finishQuietly(pods.get(0), PodPhase.Succeeded, 0);
    bed.finishQuietly(pods.get(1), PodPhase.Succeeded, 0);
    bed.finishQuietly(pods.get(2), PodPhase.Failed, 1);
    bed.settle();

    List<JobStatus> writes = statuses(bed);
    assertThat(writes).hasSize(2);
    assertThat(lists(writes.get(0)).succeeded())
        .containsExactlyInAnyOrder(pods.get(0).uid(), pods.get(1).uid());
    assertThat(lists(writes.get(0)).failed()).containsExactly(pods.get(2).uid());
    assertThat(writes.get(0).succeeded()).isZero();
    assertThat(writes.get(0).failed()).isZero();
    assertThat(lists(writes.get(1)).isEmpty()).isTrue();
    assertThat(writes.get(1).succeeded()).isEqualTo(2);
    assertThat(writes.get(1).failed()).isEqualTo(1);
    List<Call> accounting =
        bed.calls.sent.stream().filter(call -> call.verb() != Verb.CREATE).toList();
    assertThat(accounting)
        .extracting(Call::verb)
        .containsExactly(Verb.STATUS, Verb.PATCH, Verb.PATCH, Verb.PATCH, Verb.STATUS);
    assertThat(accounting.subList(1, 4)).allMatch(TrackingCallsTest::untracks);
    assertThat(bed.views("j").filter(PodView::hasStopped)).hasSize(3).noneMatch(PodView::tracked);
  }

  @Test
  @Covers("TR-09")
  void whileNoStatusCanBeWrittenNoFinalizerComesOff() {
    Testbed bed = running(FeatureGates.DEFAULT, "NonIndexed", 2);
    bed.calls.refusing =
        call ->
            call.of(Verb.STATUS, Kind.JOB)
                ? new ClusterException(Reason.UNAVAILABLE, "the store is away")
                : null;
    bed.calls.sent.clear();
    bed.pods("j").forEach(pod -> bed.finishQuietly(pod, PodPhase.Succeeded, 0));
    bed.pass(Duration.ofMinutes(1));
    assertThat(bed.calls.sent).isEmpty();
    assertThat(bed.views("j")).hasSize(4).allMatch(PodView::tracked);

    bed.calls.refusing = _ -> null;
    bed.pass(Duration.ofMinutes(1));
    assertThat(bed.views("j")).hasSize(4).noneMatch(PodView::tracked);
    assertThat(bed.status("j").succeeded()).isEqualTo(4);
  }

  @Test
  @Covers("TR-09")
  void aPodThatRunsKeepsItsFinalizerWhileOthersLoseTheirs() {
    Testbed bed = running(FeatureGates.DEFAULT, "Indexed", 1);
    bed.run("j", 1).succeed("j", 0);
    assertThat(bed.views("j"))
        .hasSize(2)
        .allSatisfy(pod -> assertThat(pod.tracked()).isEqualTo(!pod.hasStopped()));
  }

  @Test
  @Covers("TR-31")
  void aPodGrowsByThirtyTwoCharacters() {
    assertThat(Names.TRACKING_FINALIZER).hasSize(32);
    List<ObjectNode> created = new ArrayList<>();
    for (FeatureGates gates : List.of(FeatureGates.DEFAULT, LEGACY)) {
      Testbed bed = running(gates, "Indexed", 1);
      bed.calls.sent.stream()
          .filter(call -> call.of(Verb.CREATE, Kind.POD))
          .limit(1)
          .forEach(call -> created.add(Objects.requireNonNull(call.body())));
    }
    ObjectNode metadata = Objects.requireNonNull(Json.objectAt(created.get(0), "metadata"));
    assertThat(metadata.remove("finalizers")).hasToString("[\"" + Names.TRACKING_FINALIZER + "\"]");
    created.forEach(pod -> pod.withObjectProperty("metadata").remove("ownerReferences"));
    assertThat(created.get(0)).isEqualTo(created.get(1));
  }
}
