package dev.stint.controllers.gc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.EventLoop;
import dev.stint.cluster.ForwardingCluster;
import dev.stint.cluster.Watch;
import dev.stint.cluster.WatchHandler;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.harness.Fault;
import dev.stint.harness.TestWorld;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PodGarbageCollectorTest {
  private static final ObjectRef NODE = new ObjectRef(Kind.NODE, "", "n1");

  private final TestWorld world = new TestWorld();

  private void start(int threshold) {
    new PodGarbageCollector(world.api, world.eventLoop, Metrics.NONE, threshold).start();
    world.settle();
  }

  private void add(String name, String node, String phase, String metadata) {
    world.add(
        TestWorld.pod(name),
        metadata,
        "'spec': {%s}, 'status': {'phase': '%s', 'conditions': [{'type': 'Ready'}]}"
            .formatted(node.isEmpty() ? "" : "'nodeName': '" + node + "'", phase));
  }

  @Test
  void theOldestSurplusFinishedPodsAreDeleted() {
    for (int i = 0; i < 10; i++) {
      add("p" + i, "n1", i % 2 == 0 ? "Succeeded" : "Failed", "");
      world.pass(Duration.ofSeconds(1));
    }
    add("running", "n1", "Running", "");
    world.add(NODE, "");
    start(4);
    assertThat(world.api.peekAll(Kind.POD))
        .extracting(KubeObject::name)
        .containsExactly("p6", "p7", "p8", "p9", "running");
  }

  @Test
  void podsOnADeletedNodeFailAndAreDeletedLater() {
    world.add(NODE, "");
    add("a", "n1", "Running", "'finalizers': ['batch.kubernetes.io/job-tracking']");
    add("done", "n1", "Succeeded", "");
    add("pending", "", "Pending", "");
    start(100);
    world.pass(Duration.ofMinutes(5));
    assertThat(world.api.requests).isEmpty();

    world.api.remove(NODE, dev.stint.cluster.DeleteOptions.Propagation.BACKGROUND);
    world.pass(Duration.ofSeconds(39));
    assertThat(world.api.requests).isEmpty();
    world.pass(Duration.ofSeconds(60));

    KubeObject held = world.see(TestWorld.pod("a"));
    assertThat(held.deletionTimestamp()).isNotNull();
    assertThat(Json.text(held.status(), "phase")).isEqualTo("Failed");
    assertThat(String.valueOf(held.status()))
        .contains("\"Ready\"", "\"DisruptionTarget\"", "\"DeletionByPodGC\"");
    assertThat(world.exists(TestWorld.pod("done"))).isFalse();
    assertThat(world.exists(TestWorld.pod("pending"))).isTrue();
    assertThat(world.api.requests)
        .containsSubsequence(
            "patchStatus pods \"default/a\"", "delete pods \"default/a\" BACKGROUND 0")
        .doesNotContain("patchStatus pods \"default/done\"");
  }

  @Test
  void roundsGoOnThoughTheClockIsSetBack() {
    Duration[] ahead = {Duration.ZERO};
    EventLoop loop =
        new EventLoop(
            world, () -> world.now().plus(ahead[0]), world.time, world.time, new Random(1));
    new PodGarbageCollector(world.api, loop, Metrics.NONE, 100).start();
    add("a", "n1", "Running", "");
    world.pass(Duration.ofSeconds(30));
    ahead[0] = Duration.ofHours(-8);
    world.pass(Duration.ofMinutes(2));
    assertThat(world.exists(TestWorld.pod("a"))).isFalse();
  }

  @Test
  void aNodeThatComesBackInTimeKeepsItsPods() {
    add("a", "n1", "Running", "");
    start(100);
    world.pass(Duration.ofSeconds(30));
    world.api.holdNews(); // It exists, but has not been reported.
    world.add(NODE, "");
    world.pass(Duration.ofMinutes(5));
    assertThat(world.api.requests).isEmpty();
  }

  @Test
  void aNodeThatIsAwayAgainGetsItsTimeAgain() {
    add("a", "n1", "Running", "");
    start(100);
    world.pass(Duration.ofSeconds(30));
    world.add(NODE, "");
    world.pass(Duration.ofMinutes(2));
    world.api.erase(NODE);
    world.pass(Duration.ofSeconds(30));
    assertThat(world.api.requests).isEmpty();
    world.pass(Duration.ofMinutes(1));
    assertThat(world.exists(TestWorld.pod("a"))).isFalse();
  }

  /** Its Job would run the work again. */
  @Test
  void aNodeThatIsBackForAMomentBetweenTwoRoundsGetsItsTimeAgain() {
    add("a", "n1", "Running", "");
    start(100);
    world.pass(Duration.ofSeconds(30));
    world.add(NODE, "");
    world.settle();
    world.api.erase(NODE);
    world.pass(Duration.ofSeconds(30));
    assertThat(world.api.requests).isEmpty();
  }

  /** While the API is asked for another one. */
  @Test
  void aNodeThatIsBackForAMomentWithinARoundGetsItsTimeAgain() {
    add("a", "n1", "Running", "");
    add("b", "n2", "Running", "");
    List<ObjectRef> asked = new ArrayList<>();
    Cluster busy =
        new ForwardingCluster(world.api) {
          @Override
          public CompletableFuture<KubeObject> get(ObjectRef ref) {
            if (ref.kind().equals(Kind.NODE) && asked.isEmpty()) {
              ObjectRef other = new ObjectRef(Kind.NODE, "", ref.name().equals("n1") ? "n2" : "n1");
              asked.add(other);
              world.add(other, "");
              world.api.erase(other);
            }
            return super.get(ref);
          }
        };
    new PodGarbageCollector(busy, world.eventLoop, Metrics.NONE, 100).start();
    world.pass(Duration.ofMinutes(1));
    boolean isFirst = asked.getFirst().name().equals("n1");
    assertThat(world.see(TestWorld.pod(isFirst ? "a" : "b")).deletionTimestamp()).isNull();
    assertThat(world.exists(TestWorld.pod(isFirst ? "b" : "a"))).isFalse();
  }

  /** The API, whose answer that there is no node comes after something else has happened. */
  private class Late extends ForwardingCluster {
    private final Runnable then;

    Late(Runnable then) {
      super(world.api);
      this.then = then;
    }

    @Override
    public CompletableFuture<KubeObject> get(ObjectRef ref) {
      return super.get(ref)
          .whenComplete((_, missing) -> {
            if (missing != null && ref.equals(NODE)) {
              then.run();
            }
          });
    }
  }

  @Test
  void podsStayIfTheirNodeIsBackBeforeTheyAreFailed() {
    add("a", "n1", "Running", "");
    Cluster late = new Late(() -> world.add(NODE, ""));
    new PodGarbageCollector(late, world.eventLoop, Metrics.NONE, 100).start();
    world.pass(Duration.ofSeconds(70));
    assertThat(world.see(TestWorld.pod("a")).deletionTimestamp()).isNull();
  }

  /** The answer that there was no node is late, and meanwhile the node has got a pod. */
  @Test
  void aPodThatComesAfterItsNodeIsBackStays() {
    add("a", "n1", "Running", "");
    Runnable then =
        () -> {
          world.add(NODE, "");
          add("b", "n1", "Running", "");
        };
    Cluster late =
        new Late(then) {
          @Override
          public Watch watch(
              Kind kind, @Nullable String namespace, String after, WatchHandler handler) {
            return kind.equals(Kind.NODE)
                ? () -> {} // No word of it.
                : super.watch(kind, namespace, after, handler);
          }
        };
    new PodGarbageCollector(late, world.eventLoop, Metrics.NONE, 100).start();
    world.pass(Duration.ofSeconds(70));
    assertThat(world.exists(TestWorld.pod("a"))).isFalse();
    assertThat(world.exists(TestWorld.pod("b"))).isTrue();
  }

  @Test
  void aPodThatHasSucceededKeepsItsOutcomeThoughItIsNotReportedYet() {
    add("a", "n1", "Running", "'finalizers': ['batch.kubernetes.io/job-tracking']");
    start(100);
    world.api.holdNews();
    succeed("a");
    world.pass(Duration.ofMinutes(2));
    assertThat(phase("a")).isEqualTo("Succeeded");
  }

  @Test
  void aPodThatSucceedsJustBeforeItIsMarkedKeepsItsOutcome() {
    add("a", "n1", "Running", "'finalizers': ['batch.kubernetes.io/job-tracking']");
    start(100);
    world.api.before(Fault.once("patchStatus pods", () -> succeed("a")));
    world.pass(Duration.ofMinutes(2));
    assertThat(phase("a")).isEqualTo("Succeeded");
  }

  private void succeed(String name) {
    world.api.change(TestWorld.pod(name), "{'status': {'phase': 'Succeeded'}}");
  }

  private String phase(String name) {
    return String.valueOf(Json.text(world.see(TestWorld.pod(name)).status(), "phase"));
  }

  @Test
  void aPodThatIsMadeAgainBeforeItsDeletionArrivesStays() {
    add("a", "n1", "Succeeded", "");
    world.add(NODE, "");
    world.api.before(
        Fault.once(
            "delete pods",
            () -> {
              world.api.erase(TestWorld.pod("a"));
              add("a", "n1", "Running", "");
            }));
    start(0);
    world.pass(Duration.ofMinutes(2));
    assertThat(world.see(TestWorld.pod("a")).deletionTimestamp()).isNull();
  }

  @Test
  void terminatingPodsThatWereNeverBoundAreDeleted() {
    add("a", "", "Pending", "'deletionTimestamp': '2026-01-31T11:00:00Z'");
    start(100);
    assertThat(world.api.requests)
        .containsSubsequence(
            "patchStatus pods \"default/a\"", "delete pods \"default/a\" BACKGROUND 0");
    assertThat(world.exists(TestWorld.pod("a"))).isFalse();
  }

  /** A Job waits for the end of a pod before it lets it go, and nothing else ends this one. */
  @Test
  void aTerminatingPodThatWasNeverBoundFails() {
    add(
        "a",
        "",
        "Pending",
        "'deletionTimestamp': '2026-01-31T11:00:00Z',"
            + " 'finalizers': ['batch.kubernetes.io/job-tracking']");
    start(100);
    world.pass(Duration.ofMinutes(1));
    KubeObject held = world.see(TestWorld.pod("a"));
    assertThat(Json.text(held.status(), "phase")).isEqualTo("Failed");
    assertThat(String.valueOf(held.status()))
        .contains("\"Ready\"")
        .doesNotContain("DisruptionTarget");
    assertThat(world.api.requests).containsOnlyOnce("patchStatus pods \"default/a\"");
  }

  @Test
  void aPodThatCannotBeDeletedDelaysNoOther() {
    add("a", "n1", "Succeeded", "");
    add("b", "n1", "Succeeded", "");
    world.add(NODE, "");
    world.api.before(Fault.unavailable(r -> r.isWrite() && r.line().contains("default/a")));
    start(0);
    assertThat(world.exists(TestWorld.pod("b"))).isFalse();
    world.api.heal();
    world.pass(Duration.ofSeconds(20));
    assertThat(world.exists(TestWorld.pod("a"))).isFalse();
  }
}
