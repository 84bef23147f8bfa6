package dev.stint.controllers.gc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.harness.FakeRequest;
import dev.stint.harness.Fault;
import dev.stint.harness.TestWorld;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Owners and dependents of kinds that come and go with their definitions. */
class CustomKindsCollectionTest {
  private static final Kind JOB_SET =
      new Kind("jobset.x-k8s.io", "v1alpha2", "JobSet", "jobsets", true);
  private static final Kind QUEUE = new Kind("example.com", "v1", "Queue", "queues", false);
  private static final ObjectRef SET = new ObjectRef(JOB_SET, "default", "set");

  private final TestWorld world = new TestWorld();
  private final Served served = new Served();

  /** The built-in kinds, and those that a test defines. */
  private static final class Served implements ServedKinds {
    private final List<Kind> kinds = new ArrayList<>(Kind.all());

    /** A version of JobSet in which none is stored. */
    private @Nullable String otherVersion;

    Served() {
      kinds.add(Kind.CUSTOM_RESOURCE_DEFINITION);
    }

    @Override
    public List<Kind> stored() {
      return List.copyOf(kinds);
    }

    @Override
    public @Nullable Kind find(String apiVersion, String kind) {
      return kinds.stream()
          .filter(each -> each.kind().equals(kind))
          .filter(each ->
              each.apiVersion().equals(apiVersion)
                  || (each.equals(JOB_SET) && apiVersion.equals(otherVersion)))
          .findFirst()
          .orElse(null);
    }
  }

  @BeforeEach
  void start() {
    new GarbageCollector(world.api, world.eventLoop, Metrics.NONE, served).start();
    world.settle();
  }

  private static ObjectRef definition(Kind kind) {
    return new ObjectRef(Kind.CUSTOM_RESOURCE_DEFINITION, "", kind.plural() + "." + kind.group());
  }

  private void define(Kind kind) {
    served.kinds.add(kind);
    world.add(definition(kind), "");
    world.settle();
  }

  private void undefine(Kind kind) {
    served.kinds.remove(kind);
    world.api.erase(definition(kind));
    world.settle();
  }

  private static String ownedBy(KubeObject owner) {
    return ("'ownerReferences': [{'apiVersion': '%s', 'kind': '%s', 'name': '%s', 'uid': '%s',"
            + " 'blockOwnerDeletion': true}]")
        .formatted(owner.apiVersion(), owner.kindName(), owner.name(), owner.uid());
  }

  private boolean exists(ObjectRef ref) {
    return world.exists(ref);
  }

  @ParameterizedTest
  @EnumSource
  void aJobIsDeletedWithTheCustomObjectThatOwnsItAndNotWhenItIsOrphaned(Propagation propagation) {
    define(JOB_SET);
    KubeObject set = world.add(SET, "");
    KubeObject job = world.add(TestWorld.job("a"), ownedBy(set));
    world.add(TestWorld.pod("b"), ownedBy(job));
    world.settle();
    world.api.remove(SET, propagation);
    world.settle();

    assertThat(exists(SET)).isFalse();
    assertThat(exists(TestWorld.job("a"))).isEqualTo(propagation == Propagation.ORPHAN);
    assertThat(exists(TestWorld.pod("b"))).isEqualTo(propagation == Propagation.ORPHAN);
  }

  @Test
  void aCustomObjectIsDeletedWithTheJobThatOwnsIt() {
    define(JOB_SET);
    KubeObject job = world.add(TestWorld.job("a"), "");
    world.add(SET, ownedBy(job));
    world.settle();
    world.api.remove(TestWorld.job("a"), Propagation.BACKGROUND);
    world.settle();

    assertThat(exists(SET)).isFalse();
  }

  @Test
  void aCustomOwnerWaitsForTheDependentThatBlocksItsDeletion() {
    define(QUEUE);
    ObjectRef ref = new ObjectRef(QUEUE, "", "q");
    KubeObject queue = world.add(ref, "");
    world.add(TestWorld.job("a"), ownedBy(queue) + ", 'finalizers': ['example.com/hold']");
    world.settle();
    world.api.remove(ref, Propagation.FOREGROUND);
    world.settle();
    assertThat(world.see(ref).finalizers()).containsExactly("foregroundDeletion");
    assertThat(world.see(TestWorld.job("a")).deletionTimestamp()).isNotNull();

    world.api.change(TestWorld.job("a"), "{'metadata': {'finalizers': []}}");
    world.settle();
    assertThat(exists(ref)).isFalse();
  }

  @Test
  void anOwnerOfAKindThatNobodyServesKeepsItsDependentsUntilTheKindIsServed() {
    world.add(
        TestWorld.job("a"),
        "'ownerReferences': [{'apiVersion': 'jobset.x-k8s.io/v1alpha2', 'kind': 'JobSet',"
            + " 'name': 'gone', 'uid': 'nobody'}]");
    world.settle();
    assertThat(exists(TestWorld.job("a"))).isTrue();

    define(JOB_SET);
    assertThat(exists(TestWorld.job("a"))).isFalse();
  }

  private void addOwnedByNobody(String apiVersion) {
    world.add(
        TestWorld.job("a"),
        "'ownerReferences': [{'apiVersion': '%s', 'kind': 'JobSet', 'name': 'x', 'uid': 'nobody'}]"
            .formatted(apiVersion));
    world.settle();
  }

  @Test
  void anOwnerInAVersionThatNobodyServesKeepsItsDependentsUntilTheVersionIsServed() {
    define(JOB_SET);
    addOwnedByNobody("jobset.x-k8s.io/v1beta1");
    assertThat(exists(TestWorld.job("a"))).isTrue();

    served.otherVersion = "jobset.x-k8s.io/v1beta1";
    world.api.change(definition(JOB_SET), "{'spec': {'served': 'v1beta1'}}");
    world.settle();
    assertThat(exists(TestWorld.job("a"))).isFalse();
  }

  @Test
  void ownersAreLookedUpAgainIfTheirKindWasGoneForAMoment() {
    define(JOB_SET);
    world.api.holdNews();
    served.kinds.remove(JOB_SET);
    world.api.erase(definition(JOB_SET));
    world.api.resumeNews(); // The collector hears of the definition only later.
    addOwnedByNobody("jobset.x-k8s.io/v1alpha2");
    assertThat(exists(TestWorld.job("a"))).isTrue();

    world.api.holdNews();
    served.kinds.add(JOB_SET);
    world.add(definition(JOB_SET), "");
    world.api.releaseNews();
    world.settle();
    assertThat(exists(TestWorld.job("a"))).isFalse();
  }

  @Test
  void aDependentIsOrphanedThoughAnotherOwnerOfItIsOfAKindThatNobodyServes() {
    KubeObject owner = world.add(TestWorld.job("owner"), "");
    world.add(
        TestWorld.configMap("c"),
        ownedBy(owner)
            .replace(
                "]",
                ", {'apiVersion': 'example.com/v1', 'kind': 'Unknown',"
                    + " 'name': 'x', 'uid': 'nobody'}]"));
    world.settle();
    world.api.remove(TestWorld.job("owner"), Propagation.ORPHAN);
    world.settle();

    assertThat(exists(TestWorld.job("owner"))).isFalse();
    assertThat(OwnerReference.of(world.see(TestWorld.configMap("c"))))
        .extracting(OwnerReference::kind)
        .containsExactly("Unknown");
  }

  @Test
  void whatADeletedDefinitionLeavesInTheStoreKeepsItsDependents() {
    define(JOB_SET);
    KubeObject set = world.add(SET, "");
    world.add(TestWorld.job("a"), ownedBy(set));
    world.settle();
    undefine(JOB_SET);
    world.api.change(TestWorld.job("a"), "{'metadata': {'labels': {'touched': 'yes'}}}");
    world.settle();
    assertThat(exists(TestWorld.job("a"))).isTrue();

    define(JOB_SET);
    assertThat(exists(TestWorld.job("a"))).isTrue();
    world.api.remove(SET, Propagation.BACKGROUND);
    world.settle();
    assertThat(exists(TestWorld.job("a"))).isFalse();
  }

  @Test
  void dependentsOfObjectsThatWereDeletedWithTheirDefinitionAreDeleted() {
    define(JOB_SET);
    KubeObject set = world.add(SET, "");
    world.add(TestWorld.job("a"), ownedBy(set));
    world.settle();
    world.api.before(Fault.unavailable(FakeRequest::isWrite));
    world.api.erase(SET);
    undefine(JOB_SET);
    assertThat(exists(TestWorld.job("a"))).isTrue();

    world.api.heal();
    world.pass(Duration.ofSeconds(10));
    assertThat(exists(TestWorld.job("a"))).isFalse();
  }

  @Test
  void aKindThatCannotBeListedDelaysNothingButOrphaning() {
    world.api.before(Fault.unavailable(request -> request.ref().kind().equals(JOB_SET)));
    define(JOB_SET);
    KubeObject owner = world.add(TestWorld.job("a"), "");
    KubeObject left = world.add(TestWorld.job("left"), "");
    world.add(TestWorld.pod("b"), ownedBy(owner));
    world.add(SET, ownedBy(left));
    world.settle();
    world.api.remove(TestWorld.job("a"), Propagation.FOREGROUND);
    world.api.remove(TestWorld.job("left"), Propagation.ORPHAN);
    world.settle();
    assertThat(exists(TestWorld.pod("b"))).isFalse();
    assertThat(exists(TestWorld.job("a"))).isFalse();
    assertThat(exists(TestWorld.job("left"))).isTrue();

    world.api.heal();
    world.pass(Duration.ofSeconds(10));
    assertThat(exists(TestWorld.job("left"))).isFalse();
    assertThat(OwnerReference.of(world.see(SET))).isEmpty();
  }

  @Test
  void objectsThatAreStoredInAnotherVersionStayTheSame() {
    define(JOB_SET);
    KubeObject set = world.add(SET, "");
    world.add(TestWorld.job("a"), ownedBy(set));
    world.settle();
    Kind newer = new Kind("jobset.x-k8s.io", "v1beta1", "JobSet", "jobsets", true);
    served.kinds.replaceAll(kind -> kind.equals(JOB_SET) ? newer : kind);
    world.api.change(definition(JOB_SET), "{'spec': {'storage': 'v1beta1'}}");
    world.settle();

    assertThat(exists(TestWorld.job("a"))).isTrue();
  }
}
