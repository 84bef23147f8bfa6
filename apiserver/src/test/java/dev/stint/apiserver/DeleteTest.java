package dev.stint.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.cluster.WatchEvent;
import dev.stint.harness.JobBuilder;
import dev.stint.harness.PodBuilder;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeleteTest {
  private static final DeleteOptions PLAIN = new DeleteOptions(null, null, Propagation.BACKGROUND);
  private static final String HELD = ", 'finalizers': ['x.io/y']";

  private final World world = new World(ApiServer.Options.defaults().withNode("here"));

  @Test
  void anObjectThatNothingHoldsGoesAtOnce() {
    world.create(JobBuilder.named("pi").completions(2));
    delete(World.job("pi"), PLAIN);
    assertGone(World.job("pi"));
    assertThat(world.refusal(world.api.delete(World.job("pi"), PLAIN)).reason())
        .isEqualTo(Reason.NOT_FOUND);
  }

  @Test
  void onlyTheObjectWithTheUidIsDeleted() {
    KubeObject job = world.create(JobBuilder.named("pi").completions(2));
    var refusal = world.refusal(world.api.delete(World.job("pi"), DeleteOptions.only("nope")));
    assertThat(refusal.reason()).isEqualTo(Reason.CONFLICT);
    delete(World.job("pi"), DeleteOptions.only(job.uid()));
    assertGone(World.job("pi"));
  }

  @Test
  void aFinalizerHoldsAnObjectUntilItIsTakenOff() {
    world.create(World.configMapJson("m", HELD));
    delete(World.configMap("m"), PLAIN);
    KubeObject held = world.get(World.configMap("m"));
    assertThat(held.deletionTimestamp()).isEqualTo(World.START);
    KubeObject last = world.patch(World.configMap("m"), "{'metadata': {'finalizers': null}}");
    assertThat(last.finalizers()).isEmpty();
    assertThat(last.resourceVersion()).isEqualTo(Long.toString(world.store.revision()));
    assertGone(World.configMap("m"));
  }

  @Test
  void deletingTwiceChangesNothing() {
    world.create(World.configMapJson("m", HELD));
    delete(World.configMap("m"), PLAIN);
    long revision = world.store.revision();
    world.time.set(World.START.plusSeconds(60));
    delete(World.configMap("m"), PLAIN);
    assertThat(world.store.revision()).isEqualTo(revision);
  }

  @Test
  void anObjectThatIsBeingDeletedTakesNoNewFinalizer() {
    world.create(World.configMapJson("m", HELD));
    delete(World.configMap("m"), PLAIN);
    var refusal =
        world.refusal(
            world.api.patch(
                World.configMap("m"),
                World.tree("{'metadata': {'finalizers': ['x.io/y', 'x.io/z']}}")));
    assertThat(refusal.causes())
        .extracting(fault -> fault.path())
        .containsOnly("metadata.finalizers");
  }

  @Test
  void aPodThatRunsGetsItsGracePeriod() {
    world.create(PodBuilder.named("p"));
    delete(World.pod("p"), PLAIN);
    assertDeletion(World.pod("p"), 30, 30);
    assertThat(world.get(World.pod("p")).generation()).isEqualTo(2);
    delete(World.pod("p"), grace(0L));
    assertGone(World.pod("p"));
  }

  @Test
  void aGracePeriodCanBeCutButNotStretched() {
    world.create(PodBuilder.named("p"));
    delete(World.pod("p"), grace(20L));
    assertDeletion(World.pod("p"), 20, 20);
    world.time.set(World.START.plusSeconds(3));
    delete(World.pod("p"), grace(40L));
    delete(World.pod("p"), PLAIN);
    assertDeletion(World.pod("p"), 20, 20);
    delete(World.pod("p"), grace(5L));
    assertDeletion(World.pod("p"), 5, 5);
  }

  @Test
  void aGracePeriodBelowZeroIsASecond() {
    world.create(PodBuilder.named("p"));
    delete(World.pod("p"), PLAIN);
    delete(World.pod("p"), grace(-5L));
    assertDeletion(World.pod("p"), 1, 1);
  }

  @Test
  void aGracePeriodThatIsCutToNothingSaysSoBeforeThePodGoes() {
    world.create(PodBuilder.named("p"));
    delete(World.pod("p"), PLAIN);
    World.Seen seen = new World.Seen();
    world.api.watch(Kind.POD, null, Long.toString(world.store.revision()), seen);
    world.time.set(World.START.plusSeconds(9));
    delete(World.pod("p"), grace(0L));
    assertThat(seen.lines()).containsExactly("MODIFIED p", "DELETED p");
    for (WatchEvent event : seen.events) {
      assertThat(event.object().deletionTimestamp()).isEqualTo(World.START);
      assertThat(Json.longInteger(event.object().metadata(), "deletionGracePeriodSeconds"))
          .isZero();
      assertThat(event.object().generation()).isEqualTo(2);
    }
  }

  @Test
  void aPodThatHasEndedGoesAtOnce() {
    world.create(PodBuilder.named("p"));
    status(World.pod("p"), "Succeeded");
    delete(World.pod("p"), PLAIN);
    assertGone(World.pod("p"));
  }

  @Test
  void aPodThatIsNotBoundGoesAtOnce() {
    World unbound = new World();
    unbound.create(PodBuilder.named("p"));
    unbound.answer(unbound.api.delete(World.pod("p"), PLAIN));
    assertThat(unbound.refusal(unbound.api.get(World.pod("p"))).reason())
        .isEqualTo(Reason.NOT_FOUND);
  }

  @Test
  void aFinalizerHoldsAPodThatHasEnded() {
    world.create(PodBuilder.named("p").finalizers("x.io/y"));
    status(World.pod("p"), "Failed");
    delete(World.pod("p"), PLAIN);
    assertDeletion(World.pod("p"), 0, 0);
    world.patch(World.pod("p"), "{'metadata': {'finalizers': []}}");
    assertGone(World.pod("p"));
  }

  @Test
  void aPodWithoutFinalizersStillWaitsForWhoRunsIt() {
    world.create(PodBuilder.named("p").finalizers("x.io/y"));
    delete(World.pod("p"), PLAIN);
    world.patch(World.pod("p"), "{'metadata': {'finalizers': null}}");
    assertDeletion(World.pod("p"), 30, 30);
    delete(World.pod("p"), DeleteOptions.now(world.get(World.pod("p")).uid()));
    assertGone(World.pod("p"));
  }

  @Test
  void theRunnersDeletionLeavesAPodToItsFinalizers() {
    world.create(PodBuilder.named("p").finalizers("x.io/y"));
    delete(World.pod("p"), PLAIN);
    delete(World.pod("p"), grace(0L));
    assertDeletion(World.pod("p"), 0, 0);
    world.patch(World.pod("p"), "{'metadata': {'finalizers': null}}");
    assertGone(World.pod("p"));
  }

  @Test
  void foregroundAndOrphanLeaveTheJobToTheGarbageCollector() {
    world.create(JobBuilder.named("f").completions(2));
    world.create(JobBuilder.named("o").completions(2));
    delete(World.job("f"), new DeleteOptions(null, null, Propagation.FOREGROUND));
    delete(World.job("o"), new DeleteOptions(null, null, Propagation.ORPHAN));
    assertThat(world.get(World.job("f")).finalizers()).containsExactly("foregroundDeletion");
    assertThat(world.get(World.job("o")).finalizers()).containsExactly("orphan");
    assertThat(world.get(World.job("o")).deletionTimestamp()).isEqualTo(World.START);
  }

  @Test
  void aDeletedObjectIsReportedAsItWasWithTheRevisionOfItsDeletion() {
    KubeObject map = world.create(World.configMapJson("m", ""));
    World.Seen seen = new World.Seen();
    world.api.watch(Kind.CONFIG_MAP, null, map.resourceVersion(), seen);
    delete(World.configMap("m"), PLAIN);
    WatchEvent event = seen.events.get(0);
    assertThat(event.type()).isEqualTo(WatchEvent.Type.DELETED);
    assertThat(event.object().uid()).isEqualTo(map.uid());
    assertThat(event.object().resourceVersion()).isEqualTo("3");
    assertThat(event.object().tree().path("data")).isEqualTo(map.tree().path("data"));
  }

  @Test
  void aDeletionDecidesAgainWhenSomebodyWasFaster() {
    world.create(World.configMapJson("m", ""));
    var patch =
        world.api.patch(
            World.configMap("m"), World.tree("{'metadata': {'finalizers': ['x.io/y']}}"));
    var deletion = world.api.delete(World.configMap("m"), PLAIN);
    world.answer(patch);
    world.answer(deletion);
    assertThat(world.get(World.configMap("m")).deletionTimestamp()).isEqualTo(World.START);
  }

  @ParameterizedTest
  @ValueSource(strings = {"default", "kube-system", "kube-public"})
  void theNamespacesThatEverythingRestsOnAreNeverDeleted(String name) {
    world.create(
        "{'apiVersion': 'v1', 'kind': 'Namespace', 'metadata': {'name': '%s'}}".formatted(name));
    var refusal = world.refusal(world.api.delete(new ObjectRef(Kind.NAMESPACE, "", name), PLAIN));
    assertThat(refusal.reason()).isEqualTo(Reason.FORBIDDEN);
    assertThat(refusal)
        .hasMessage(
            "namespaces \"%s\" is forbidden: this namespace may not be deleted".formatted(name));
  }

  private static DeleteOptions grace(@Nullable Long seconds) {
    return new DeleteOptions(null, seconds, Propagation.BACKGROUND);
  }

  private void delete(ObjectRef ref, DeleteOptions options) {
    world.answer(world.api.delete(ref, options));
  }

  private void status(ObjectRef ref, String phase) {
    world.answer(
        world.api.patchStatus(ref, World.tree("{'status': {'phase': '%s'}}".formatted(phase))));
  }

  private void assertDeletion(ObjectRef ref, long afterSeconds, long grace) {
    KubeObject object = world.get(ref);
    assertThat(object.deletionTimestamp()).isEqualTo(World.START.plusSeconds(afterSeconds));
    assertThat(Json.longInteger(object.metadata(), "deletionGracePeriodSeconds")).isEqualTo(grace);
  }

  private void assertGone(ObjectRef ref) {
    assertThat(world.refusal(world.api.get(ref)).reason()).isEqualTo(Reason.NOT_FOUND);
  }
}
