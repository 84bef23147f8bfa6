package dev.stint.controllers.gc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterRequest;
import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.cluster.ForwardingCluster;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.harness.FakeRequest;
import dev.stint.harness.Fault;
import dev.stint.harness.TestWorld;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GarbageCollectorTest {
  /** A round that visited all of them for each of them, or asked twice, would show with fewer. */
  private static final int DEPENDENTS = 2_000;

  private final TestWorld world = new TestWorld();
  private GarbageCollector collector = fresh();

  private GarbageCollector fresh() {
    return new GarbageCollector(
        world.api, world.eventLoop, Metrics.NONE, ServedKinds.fixed(Kind.all()));
  }

  private void start() {
    collector.start();
    world.settle();
  }

  private void restart() {
    collector.close();
    collector = fresh();
    start();
  }

  private static String ownedBy(KubeObject... owners) {
    return Arrays.stream(owners)
        .map(owner -> reference(owner, owner.uid(), true))
        .collect(Collectors.joining(", ", "'ownerReferences': [", "]"));
  }

  private static String reference(KubeObject owner, String uid, boolean blocks) {
    return "{'apiVersion': '%s', 'kind': '%s', 'name': '%s', 'uid': '%s', 'blockOwnerDeletion': %s}"
        .formatted(owner.apiVersion(), owner.kindName(), owner.name(), uid, blocks);
  }

  private boolean exists(ObjectRef ref) {
    return world.exists(ref);
  }

  @Test
  void dependentsOfADeletedOwnerAreDeletedRecursively() {
    KubeObject owner = world.add(TestWorld.job("a"), "");
    KubeObject child = world.add(TestWorld.pod("b"), ownedBy(owner));
    world.add(TestWorld.configMap("c"), ownedBy(child));
    world.add(TestWorld.configMap("free"), "");
    start();
    assertThat(world.api.requests).isEmpty();

    world.api.remove(TestWorld.job("a"), Propagation.BACKGROUND);
    world.settle();

    assertThat(exists(TestWorld.pod("b"))).isFalse();
    assertThat(exists(TestWorld.configMap("c"))).isFalse();
    assertThat(exists(TestWorld.configMap("free"))).isTrue();
  }

  @Test
  void eachOwnerThatWasDeletedBeforeTheStartIsReadOnce() {
    KubeObject owner = world.add(TestWorld.job("a"), "");
    for (int i = 0; i < 500; i++) {
      world.add(TestWorld.pod("p" + i), ownedBy(owner));
    }
    world.api.remove(TestWorld.job("a"), Propagation.BACKGROUND);
    start();

    assertThat(world.api.peekAll(Kind.POD)).isEmpty();
    assertThat(world.api.gets).isOne();
  }

  /** An API that carries deletions out, and does not answer them. */
  private static final class Unanswering extends ForwardingCluster {
    private int deletions;

    Unanswering(Cluster api) {
      super(api);
    }

    @Override
    protected <T extends @Nullable Object> CompletableFuture<T> send(
        ClusterRequest request, Supplier<CompletableFuture<T>> sending) {
      if (request.verb() == ClusterRequest.Verb.DELETE) {
        deletions++;
        return new CompletableFuture<>();
      }
      return sending.get();
    }
  }

  /** Pods of a large Job would go more slowly than those of the next one come. */
  @Test
  void manyDependentsAreDeletedAtTheSameTime() {
    KubeObject owner = world.add(TestWorld.job("a"), "");
    for (int i = 0; i < 500; i++) {
      world.add(TestWorld.pod("p" + i), ownedBy(owner));
    }
    Unanswering api = new Unanswering(world.api);
    collector =
        new GarbageCollector(api, world.eventLoop, Metrics.NONE, ServedKinds.fixed(Kind.all()));
    start();
    world.api.remove(TestWorld.job("a"), Propagation.BACKGROUND);
    world.settle();
    assertThat(api.deletions).isEqualTo(256);
  }

  @Test
  void aStaleViewNeverDeletes() {
    start();
    KubeObject owner = world.add(TestWorld.job("a"), "");
    world.settle();
    world.api.holdNews();
    KubeObject other = world.add(TestWorld.job("unheard-of"), "");
    world.api.resumeNews(); // The watch reports this owner only later.
    world.add(TestWorld.pod("b"), ownedBy(other));
    world.add(TestWorld.pod("c"), ownedBy(owner));
    world.settle();

    assertThat(exists(TestWorld.pod("b"))).isTrue();
    assertThat(exists(TestWorld.pod("c"))).isTrue();

    world.api.releaseNews();
    world.settle();
    world.api.remove(TestWorld.job("unheard-of"), Propagation.BACKGROUND);
    world.settle();

    assertThat(exists(TestWorld.pod("b"))).isFalse();
  }

  @Test
  void anObjectThatLosesItsOwnerBeforeItsDeletionArrivesStays() {
    KubeObject owner = world.add(TestWorld.job("a"), "");
    world.add(TestWorld.pod("b"), ownedBy(owner));
    start();
    world.api.holdNews();
    world.api.change(TestWorld.pod("b"), "{'metadata': {'ownerReferences': null}}");
    world.api.resumeNews(); // The watch reports the orphan only later.
    world.api.remove(TestWorld.job("a"), Propagation.BACKGROUND);
    world.settle();
    assertThat(exists(TestWorld.pod("b"))).isTrue();

    world.api.releaseNews();
    world.pass(Duration.ofSeconds(10));
    assertThat(exists(TestWorld.pod("b"))).isTrue();
  }

  @Test
  void anObjectThatChangesOtherwiseBeforeItsDeletionArrivesIsDeleted() {
    KubeObject owner = world.add(TestWorld.job("a"), "");
    world.add(TestWorld.pod("b"), ownedBy(owner));
    start();
    world.api.holdNews();
    world.api.change(TestWorld.pod("b"), "{'status': {'phase': 'Running'}}");
    world.api.resumeNews();
    world.api.remove(TestWorld.job("a"), Propagation.BACKGROUND);
    world.settle();

    assertThat(exists(TestWorld.pod("b"))).isFalse();
  }

  @Test
  void aRecreatedOwnerIsAnotherOwner() {
    KubeObject first = world.add(TestWorld.job("a"), "");
    world.add(TestWorld.pod("old"), ownedBy(first));
    start();
    world.api.holdNews();
    world.api.remove(TestWorld.job("a"), Propagation.BACKGROUND);
    KubeObject second = world.add(TestWorld.job("a"), "");
    world.add(TestWorld.pod("new"), ownedBy(second));
    world.api.releaseNews();
    world.settle();

    assertThat(exists(TestWorld.pod("old"))).isFalse();
    assertThat(exists(TestWorld.pod("new"))).isTrue();
  }

  @Test
  void aDependentWithAnotherOwnerStaysAndLosesOneReference() {
    KubeObject one = world.add(TestWorld.job("one"), "");
    KubeObject two = world.add(TestWorld.job("two"), "");
    world.add(TestWorld.pod("b"), ownedBy(one, two));
    start();
    world.api.remove(TestWorld.job("one"), Propagation.BACKGROUND);
    world.settle();

    KubeObject kept = world.see(TestWorld.pod("b"));
    assertThat(OwnerReference.of(kept)).extracting(OwnerReference::name).containsExactly("two");

    world.api.remove(TestWorld.job("two"), Propagation.BACKGROUND);
    world.settle();
    assertThat(exists(TestWorld.pod("b"))).isFalse();
  }

  /** A list that follows a lost watch shows only the last of several states. */
  @Test
  void anObjectThatIsAskedForAgainIsFinishedAgainThoughItLooksAsBefore() {
    ObjectRef held = TestWorld.configMap("a");
    world.add(held, "'finalizers': ['example.com/hold']");
    start();
    world.api.remove(held, Propagation.BACKGROUND);
    world.settle();
    String again = "{'metadata': {'finalizers': ['example.com/hold', 'foregroundDeletion']}}";
    world.api.before(Fault.once("patch configmaps", world.api::holdNews));
    world.api.change(held, again);
    world.settle();
    assertThat(world.see(held).finalizers()).containsExactly("example.com/hold");

    world.api.change(held, again);
    world.api.resumeNews();
    world.api.endWatches(new ClusterException(ClusterException.Reason.GONE, "too old"));
    world.pass(Duration.ofMinutes(1));
    assertThat(world.see(held).finalizers()).containsExactly("example.com/hold");
  }

  @Test
  void foregroundDeletionDeletesDependentsFirst() {
    KubeObject owner = world.add(TestWorld.job("a"), "");
    KubeObject child =
        world.add(TestWorld.pod("b"), ownedBy(owner) + ", 'finalizers': ['example.com/hold']");
    world.add(TestWorld.configMap("c"), ownedBy(child) + ", 'finalizers': ['example.com/hold']");
    start();
    world.api.remove(TestWorld.job("a"), Propagation.FOREGROUND);
    world.settle();

    assertThat(world.api.requests)
        .contains(
            "delete pods \"default/b\" FOREGROUND", "delete configmaps \"default/c\" BACKGROUND");
    assertThat(exists(TestWorld.job("a"))).isTrue();

    world.api.change(TestWorld.pod("b"), "{'metadata': {'finalizers': ['foregroundDeletion']}}");
    world.settle();
    assertThat(exists(TestWorld.pod("b"))).isTrue();
    assertThat(exists(TestWorld.job("a"))).isTrue();

    world.api.change(TestWorld.configMap("c"), "{'metadata': {'finalizers': []}}");
    world.settle();
    assertThat(exists(TestWorld.configMap("c"))).isFalse();
    assertThat(exists(TestWorld.pod("b"))).isFalse();
    assertThat(exists(TestWorld.job("a"))).isFalse();
  }

  @Test
  void aDependentThatDoesNotBlockDelaysNoOwner() {
    KubeObject owner = world.add(TestWorld.job("a"), "");
    world.add(
        TestWorld.pod("b"),
        "'ownerReferences': [%s], 'finalizers': ['example.com/hold']"
            .formatted(reference(owner, owner.uid(), false)));
    start();
    world.api.remove(TestWorld.job("a"), Propagation.FOREGROUND);
    world.settle();

    assertThat(exists(TestWorld.job("a"))).isFalse();
    assertThat(world.see(TestWorld.pod("b")).deletionTimestamp()).isNotNull();
  }

  @Test
  void cyclesOfOwnersAreDeleted() {
    KubeObject a = world.add(TestWorld.job("a"), "");
    KubeObject b = world.add(TestWorld.job("b"), ownedBy(a));
    world.api.change(TestWorld.job("a"), ("{'metadata': {" + ownedBy(b) + "}}"));
    start();
    world.api.remove(TestWorld.job("a"), Propagation.FOREGROUND);
    world.settle();

    assertThat(world.api.peekAll(Kind.JOB)).isEmpty();
  }

  /** Each would wait for the others; the first and the last own each other, the fourth itself. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void cyclesOfOwnersThatUsersDeleteAreDeleted(boolean early) {
    KubeObject a = world.add(TestWorld.job("a"), "");
    KubeObject b = world.add(TestWorld.job("b"), ownedBy(a));
    KubeObject c = world.add(TestWorld.job("c"), ownedBy(b));
    KubeObject d = world.add(TestWorld.job("d"), "");
    world.api.change(a.ref(), ("{'metadata': {" + ownedBy(c) + "}}"));
    world.api.change(d.ref(), ("{'metadata': {" + ownedBy(d) + "}}"));
    if (!early) {
      start();
    }
    for (KubeObject each : List.of(c, a, d, b)) {
      world.api.remove(each.ref(), Propagation.FOREGROUND);
    }
    if (early) {
      start();
    }
    world.settle();

    assertThat(world.api.peekAll(Kind.JOB)).isEmpty();
  }

  /** The third owner waits for the dependent, but not the other way round. */
  @Test
  void anOwnerBesideACircleGoesAfterItsDependent() {
    KubeObject a = world.add(TestWorld.job("a"), "");
    KubeObject beside = world.add(TestWorld.job("beside"), "");
    KubeObject b =
        world.add(TestWorld.job("b"), ownedBy(a, beside) + ", 'finalizers': ['example.com/hold']");
    world.api.change(a.ref(), ("{'metadata': {" + ownedBy(b) + "}}"));
    for (KubeObject each : List.of(a, b, beside)) {
      world.api.remove(each.ref(), Propagation.FOREGROUND);
    }
    start();
    assertThat(exists(a.ref())).isFalse();
    assertThat(exists(beside.ref())).isTrue();

    world.api.change(b.ref(), "{'metadata': {'finalizers': []}}");
    world.settle();
    assertThat(world.api.peekAll(Kind.JOB)).isEmpty();
  }

  /** Their number is not limited, and each decision looks at them. */
  @Test
  void referencesToOneOwnerInManyVersionsCountOnce() {
    KubeObject owner = world.add(TestWorld.configMap("a"), "");
    OwnerGraph graph = new OwnerGraph();
    graph.put(Kind.CONFIG_MAP, owner);
    String references =
        IntStream.range(0, 100)
            .mapToObj(i -> reference(owner, owner.uid(), true).replace("'v1'", "'v" + i + "'"))
            .collect(Collectors.joining(", ", "'ownerReferences': [", "]"));
    KubeObject dependent = world.add(TestWorld.configMap("b"), references);
    graph.put(Kind.CONFIG_MAP, dependent);
    assertThat(graph.owners(GraphObject.of(Kind.CONFIG_MAP, dependent))).hasSize(1);
  }

  @Test
  void orphansLoseTheirReferenceAndStay() {
    KubeObject owner = world.add(TestWorld.job("a"), "");
    for (int i = 0; i < 100; i++) {
      world.add(TestWorld.pod("p" + i), ownedBy(owner));
    }
    start();
    world.api.remove(TestWorld.job("a"), Propagation.ORPHAN);
    world.settle();

    assertThat(exists(TestWorld.job("a"))).isFalse();
    assertThat(world.api.peekAll(Kind.POD))
        .hasSize(100)
        .allMatch(pod -> OwnerReference.of(pod).isEmpty());
  }

  @Test
  void anOrphaningOwnerDoesNotWaitForADependentThatIsGoing() {
    KubeObject owner = world.add(TestWorld.job("a"), "");
    world.add(TestWorld.pod("b"), "'finalizers': ['example.com/hold'], " + ownedBy(owner));
    start();
    world.api.remove(TestWorld.pod("b"), Propagation.BACKGROUND);
    world.settle();
    world.api.remove(TestWorld.job("a"), Propagation.ORPHAN);
    world.pass(Duration.ofMinutes(1));
    assertThat(exists(TestWorld.pod("b"))).isTrue();
    assertThat(exists(TestWorld.job("a"))).isFalse();
  }

  @Test
  void finishingAWaitKeepsOtherFinalizers() {
    world.add(TestWorld.job("a"), "'finalizers': ['example.com/hold']");
    start();
    world.api.remove(TestWorld.job("a"), Propagation.ORPHAN);
    world.settle();

    assertThat(world.see(TestWorld.job("a")).finalizers()).containsExactly("example.com/hold");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'apiVersion': 'example.com/v1', 'kind': 'Thing'",
        "'apiVersion': 'batch/v7', 'kind': 'Job'"
      })
  void ownersOfUnknownKindKeepTheirDependents(String kind) {
    world.add(
        TestWorld.pod("b"),
        "'ownerReferences': [{%s, 'name': 'x', 'uid': 'nobody'}]".formatted(kind));
    start();
    assertThat(exists(TestWorld.pod("b"))).isTrue();
    assertThat(world.api.requests).isEmpty();
  }

  @Test
  void anOwnerInAnotherNamespaceIsAbsentAndAClusterScopedOneIsNot() {
    KubeObject elsewhere = world.add(new ObjectRef(Kind.JOB, "other", "a"), "");
    KubeObject global = world.add(new ObjectRef(Kind.PRIORITY_CLASS, "", "high"), "");
    world.add(TestWorld.pod("lost"), ownedBy(elsewhere));
    world.add(TestWorld.pod("kept"), ownedBy(global));
    world.add(new ObjectRef(Kind.CLUSTER_ROLE, "", "untold"), ownedBy(elsewhere));
    start();

    assertThat(exists(TestWorld.pod("lost"))).isFalse();
    assertThat(exists(TestWorld.pod("kept"))).isTrue();
    assertThat(exists(new ObjectRef(Kind.CLUSTER_ROLE, "", "untold"))).isTrue();
  }

  @Test
  void failedDeletionsAreRetried() {
    KubeObject owner = world.add(TestWorld.job("a"), "");
    world.add(TestWorld.pod("b"), ownedBy(owner));
    start();
    world.api.before(Fault.unavailable(FakeRequest::isWrite));
    world.api.remove(TestWorld.job("a"), Propagation.BACKGROUND);
    world.pass(Duration.ofSeconds(5));
    assertThat(exists(TestWorld.pod("b"))).isTrue();
    assertThat(world.api.requests).hasSizeBetween(3, 15);

    world.api.heal();
    world.pass(Duration.ofSeconds(10));
    assertThat(exists(TestWorld.pod("b"))).isFalse();
  }

  @Test
  void aForegroundDeletionContinuesWhereAnotherCollectorStopped() {
    for (int stop = 0; stop < 60; stop++) {
      KubeObject owner = world.add(TestWorld.job("a"), "");
      for (int i = 0; i < 5; i++) {
        KubeObject pod = world.add(TestWorld.pod("p" + i), ownedBy(owner));
        world.add(TestWorld.configMap("c" + i), ownedBy(pod));
      }
      restart();
      world.api.remove(TestWorld.job("a"), Propagation.FOREGROUND);
      for (int step = 0; step < stop; step++) {
        world.step();
      }
      restart();
      world.pass(Duration.ofSeconds(1)); // If both wrote, one retries.

      assertThat(world.api.peekAll(Kind.JOB)).as("stopped after %d steps", stop).isEmpty();
      assertThat(world.api.peekAll(Kind.POD)).isEmpty();
      assertThat(world.api.peekAll(Kind.CONFIG_MAP)).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"FOREGROUND", "BACKGROUND", "ORPHAN"})
  void twoThousandDependentsTakeARequestEachAndNoMore(String propagation) {
    KubeObject owner = world.add(TestWorld.job("a"), "");
    for (int i = 0; i < DEPENDENTS; i++) {
      world.add(TestWorld.pod("p" + i), ownedBy(owner));
    }
    start();
    world.api.remove(TestWorld.job("a"), Propagation.valueOf(propagation));
    world.settle();

    assertThat(exists(TestWorld.job("a"))).isFalse();
    assertThat(world.api.peekAll(Kind.POD)).hasSize(propagation.equals("ORPHAN") ? DEPENDENTS : 0);
    assertThat(world.api.requests).hasSizeBetween(DEPENDENTS, DEPENDENTS + 1);
  }

  @Test
  void podsOfOneOwnerShareTheirOwnerReferencesInMemory() {
    OwnerGraph graph = new OwnerGraph();
    KubeObject owner = world.add(TestWorld.job("a"), "");
    graph.put(Kind.POD, world.add(TestWorld.pod("b"), ownedBy(owner)));
    graph.put(Kind.POD, world.add(TestWorld.pod("c"), ownedBy(owner)));

    assertThat(graph.all()).hasSize(2);
    assertThat(graph.all().stream().map(System::identityHashCode).distinct()).hasSize(2);
    assertThat(
            graph.all().stream().map(GraphObject::owners).map(System::identityHashCode).distinct())
        .hasSize(1);
  }
}
