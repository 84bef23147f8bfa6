package dev.stint.cli.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ForwardingCluster;
import dev.stint.cluster.ObjectList;
import dev.stint.cluster.Timers;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class PodWarningsTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  private static PodWarnings warnings(Cluster cluster, KubeObject... ours) {
    return new PodWarnings(
        cluster,
        (_, _) -> () -> {},
        new SplittableRandom(1),
        "default",
        _ -> true,
        () -> List.of(ours));
  }

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
      await()
          .atMost(TIMEOUT)
          .until(() -> !cluster.list(Kind.EVENT, "default").join().items().isEmpty());
      PodWarnings warnings = warnings(cluster, JobBuilder.named("a").build());
      warnings.start(new RunEnd());
      assertThat(warnings.newLines()).isEmpty();
      scheduler.event(pod("a"), true, "FailedScheduling", "0/1 nodes are available");
      await()
          .atMost(TIMEOUT)
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
      PodWarnings warnings = warnings(cluster, ours);
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
          .atMost(TIMEOUT)
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

  /** An API that answers who owns a pod when the test says so. */
  private static final class Slow extends ForwardingCluster {
    final Map<String, CompletableFuture<KubeObject>> asked = new LinkedHashMap<>();
    int requests;

    Slow(Cluster cluster) {
      super(cluster);
    }

    @Override
    public CompletableFuture<KubeObject> get(ObjectRef ref) {
      requests++;
      return asked.computeIfAbsent(ref.name(), _ -> new CompletableFuture<>());
    }
  }

  private final FakeCluster fake = new FakeCluster(Runnable::run, InstantSource.system());
  private final Slow slow = new Slow(fake);
  private final EventRecorder node =
      new EventRecorder(fake, () -> Instant.parse("2026-01-01T00:00:11Z"), "kubelet");
  private final KubeObject ours =
      JobBuilder.named("a")
          .uid("ours")
          .metadata("'creationTimestamp':'2026-01-01T00:00:10Z'")
          .build();
  private final KubeObject earlier = JobBuilder.named("a").uid("earlier").build();

  private PodWarnings slowWarnings(Timers timers) {
    PodWarnings warnings =
        new PodWarnings(
            slow, timers, new SplittableRandom(1), "default", _ -> true, () -> List.of(ours));
    warnings.start(new RunEnd());
    return warnings;
  }

  private void answer(String pod, KubeObject owner) {
    Objects.requireNonNull(slow.asked.get(pod)).complete(PodBuilder.of(owner, pod).build());
  }

  @Test
  void theLastWarningsAreToldIfTheyAreOurs() {
    PodWarnings warnings =
        slowWarnings((_, later) -> {
          answer("a-0", ours);
          answer("a-2", earlier);
          later.run();
          return () -> {};
        });
    node.event(pod("a-0"), true, "Failed", "no image of 0");
    node.event(pod("a-1"), true, "Failed", "unanswered, of an earlier Job or a longer name");
    node.event(pod("a-2"), true, "Failed", "of an earlier Job");
    node.event(earlier, true, "FailedCreate", "of an earlier Job");
    node.event(ours, true, "FailedCreate", "over quota");
    assertThat(warnings.newLines()).isEmpty();
    assertThat(warnings.lastLines()).containsExactly("pod a-0: no image of 0", "a: over quota");
  }

  @Test
  void theEndWaitsForAnswers() {
    List<Runnable> timers = new CopyOnWriteArrayList<>();
    PodWarnings warnings =
        slowWarnings((_, later) -> {
          timers.add(later);
          return () -> timers.remove(later);
        });
    node.event(pod("a-0"), true, "Failed", "no image of 0");
    CompletableFuture<List<String>> lines =
        CompletableFuture.supplyAsync(warnings::lastLines, Thread::startVirtualThread);
    await().atMost(TIMEOUT).until(() -> !timers.isEmpty());
    answer("a-0", ours);
    assertThat(lines.join()).containsExactly("pod a-0: no image of 0");
    assertThat(timers).isEmpty();
  }

  @Test
  void ownersAreAskedForAtOnceAndOnlyOnce() {
    PodWarnings warnings = slowWarnings((_, _) -> () -> {});
    node.event(pod("a-0"), true, "Failed", "no image of 0");
    node.event(pod("a-1"), true, "Failed", "no image of 1");
    node.event(pod("a-0"), true, "BackOff", "back-off of 0");
    assertThat(slow.asked).containsOnlyKeys("a-0", "a-1");
    assertThat(slow.requests).isEqualTo(2);
    answer("a-1", ours);
    assertThat(warnings.newLines()).isEmpty();
    answer("a-0", ours);
    assertThat(warnings.newLines())
        .containsExactly(
            "pod a-0: no image of 0", "pod a-1: no image of 1", "pod a-0: back-off of 0");
  }

  @Test
  void onlyAFewOwnersAreAskedForAtATime() {
    PodWarnings warnings = slowWarnings((_, _) -> () -> {});
    IntStream.range(0, 20).forEach(pod -> node.event(pod("a-" + pod), true, "R" + pod, "m"));
    assertThat(slow.asked).hasSize(16);
    answer("a-0", ours);
    assertThat(warnings.newLines()).containsExactly("pod a-0: m");
    assertThat(slow.asked).hasSize(17);
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
      PodWarnings warnings = warnings(new Silent(plane.cluster()));
      RunEnd end = new RunEnd();
      end.set(new RunEnd.Reason.Signalled("INT"));
      assertThatThrownBy(() -> warnings.start(end)).isInstanceOf(RunEnd.EndedEarly.class);
    }
  }

  private static KubeObject pod(String name) {
    return PodBuilder.named(name).uid("uid-" + name).build();
  }
}
