package dev.stint.cli.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ForwardingCluster;
import dev.stint.cluster.ObjectList;
import dev.stint.embedded.ControlPlane;
import dev.stint.embedded.ControlPlaneOptions;
import dev.stint.harness.FakeCluster;
import dev.stint.harness.JobBuilder;
import dev.stint.harness.PodBuilder;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.reconcile.EventRecorder;
import dev.stint.store.engine.SimulatedEngine;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PodWarningsTest {
  @Test
  void onlyAFewWarningsOfEachReasonAreReported() throws Exception {
    try (ControlPlane plane =
        new ControlPlane(new SimulatedEngine(), ControlPlaneOptions.DEFAULT)) {
      Cluster cluster = plane.cluster();
      PodWarnings warnings =
          new PodWarnings(
              cluster,
              (_, _) -> () -> {},
              new SplittableRandom(1),
              null,
              pod -> !pod.name().equals("of-another-run"),
              () -> List.of(JobBuilder.named("a").build()));
      warnings.start(new RunEnd());
      InstantSource clock = InstantSource.system();
      EventRecorder other = new EventRecorder(cluster, clock, "job-controller");
      EventRecorder node =
          new EventRecorder(cluster, clock, "kubelet", "localhost", 100, Duration.ofHours(1));
      other.event(pod("a"), true, "Failed", "somebody else's");
      node.event(pod("a"), false, "Killing", "no warning");
      node.event(pod("of-another-run"), true, "Other", "not of this run");
      for (String name : List.of("a", "b")) {
        node.event(pod(name), true, "Failed", "Error: configmap \"c\" not found");
      }
      for (String name : List.of("a", "b", "c", "d")) {
        node.event(pod(name), true, "BackOff", "Back-off " + name + "\nand more");
      }
      node.event(pod("z"), true, "Last", "the last");
      List<String> lines = new ArrayList<>();
      while (!lines.contains("pod z: the last")) {
        Thread.onSpinWait();
        lines.addAll(warnings.newLines());
      }
      assertThat(lines)
          .containsExactly(
              "pod a: Error: configmap \"c\" not found",
              "pod a: Back-off a",
              "pod b: Back-off b",
              "pod c: Back-off c",
              "pod z: the last");
    }
  }

  @Test
  void aWarningFromBeforeIsReportedWhenItHappensAgain() throws Exception {
    try (ControlPlane plane =
        new ControlPlane(new SimulatedEngine(), ControlPlaneOptions.DEFAULT)) {
      Cluster cluster = plane.cluster();
      EventRecorder scheduler =
          new EventRecorder(cluster, InstantSource.system(), "default-scheduler");
      scheduler.event(pod("a"), true, "FailedScheduling", "0/1 nodes are available");
      await().until(() -> !cluster.list(Kind.EVENT, "default").join().items().isEmpty());
      PodWarnings warnings =
          new PodWarnings(
              cluster,
              (_, _) -> () -> {},
              new SplittableRandom(1),
              "default",
              _ -> true,
              () -> List.of(JobBuilder.named("a").build()));
      warnings.start(new RunEnd());
      assertThat(warnings.newLines()).isEmpty();
      scheduler.event(pod("a"), true, "FailedScheduling", "0/1 nodes are available");
      await()
          .untilAsserted(() ->
              assertThat(warnings.newLines()).containsExactly("pod a: 0/1 nodes are available"));
    }
  }

  @Test
  void warningsAboutOtherJobsWithTheSameBeginningAreNotTold() throws Exception {
    try (ControlPlane plane =
        new ControlPlane(new SimulatedEngine(), ControlPlaneOptions.DEFAULT)) {
      Cluster cluster = plane.cluster();
      KubeObject earlier = JobBuilder.named("a").uid("earlier").build();
      KubeObject longer = cluster.create(JobBuilder.named("a-b").build()).join();
      KubeObject ours = cluster.create(JobBuilder.named("a").build()).join();
      Instant created = Objects.requireNonNull(ours.creationTimestamp());
      PodWarnings warnings =
          new PodWarnings(
              cluster,
              (_, _) -> () -> {},
              new SplittableRandom(1),
              "default",
              _ -> true,
              () -> List.of(ours));
      warnings.start(new RunEnd());
      EventRecorder before = new EventRecorder(cluster, () -> created.minusSeconds(1), "kubelet");
      before.event(pod("a-gone-before"), true, "Failed", "gone before");
      EventRecorder now = new EventRecorder(cluster, () -> created, "kubelet");
      now.event(stored(cluster, earlier, "a-0"), true, "Failed", "of an earlier Job");
      now.event(stored(cluster, longer, "a-b-0"), true, "Failed", "of another Job");
      now.event(earlier, true, "FailedCreate", "of an earlier Job");
      now.event(pod("a-gone"), true, "Failed", "gone since");
      now.event(ours, true, "FailedCreate", "over quota");
      now.event(stored(cluster, ours, "a-1"), true, "Failed", "no image");
      List<String> lines = new ArrayList<>();
      await()
          .until(() -> {
            lines.addAll(warnings.newLines());
            return lines.contains("pod a-1: no image");
          });
      assertThat(lines)
          .containsExactly("pod a-gone: gone since", "a: over quota", "pod a-1: no image");
    }
  }

  private static KubeObject stored(Cluster cluster, KubeObject owner, String name) {
    return cluster.create(PodBuilder.of(owner, name).build()).join();
  }

  /** An API that does not answer who owns a pod. */
  private static final class WithoutPods extends ForwardingCluster {
    WithoutPods(Cluster cluster) {
      super(cluster);
    }

    @Override
    public CompletableFuture<KubeObject> get(ObjectRef ref) {
      return new CompletableFuture<>();
    }
  }

  @Test
  void theLastWarningsAreToldWithoutAnAnswer() {
    FakeCluster cluster = new FakeCluster(Runnable::run, InstantSource.system());
    PodWarnings warnings =
        new PodWarnings(
            new WithoutPods(cluster),
            (_, _) -> () -> {},
            new SplittableRandom(1),
            "default",
            _ -> true,
            List::of);
    warnings.start(new RunEnd());
    EventRecorder node = new EventRecorder(cluster, InstantSource.system(), "kubelet");
    List.of("a", "b").forEach(pod -> node.event(pod(pod), true, "Failed", "no image of " + pod));
    assertThat(warnings.newLines()).isEmpty();
    assertThat(warnings.lastLines())
        .containsExactly("pod a: no image of a", "pod b: no image of b");
  }

  /** An API whose lists are never answered. */
  private static final class Silent extends ForwardingCluster {
    Silent(Cluster cluster) {
      super(cluster);
    }

    @Override
    public CompletableFuture<String> list(
        Kind kind, @Nullable String namespace, Function<ObjectList, CompletableFuture<?>> each) {
      return new CompletableFuture<>();
    }
  }

  @Test
  void theEndOfTheRunEndsTheWaitForAnApiThatDoesNotAnswer() throws Exception {
    try (ControlPlane plane =
        new ControlPlane(new SimulatedEngine(), ControlPlaneOptions.DEFAULT)) {
      PodWarnings warnings =
          new PodWarnings(
              new Silent(plane.cluster()),
              (_, _) -> () -> {},
              new SplittableRandom(1),
              "default",
              _ -> true,
              List::of);
      RunEnd end = new RunEnd();
      end.set(new RunEnd.Reason.Signalled("INT"));
      assertThatThrownBy(() -> warnings.start(end)).isInstanceOf(RunEnd.EndedEarly.class);
    }
  }

  private static KubeObject pod(String name) {
    return PodBuilder.named(name).uid("uid-" + name).build();
  }
}
