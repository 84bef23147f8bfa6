package dev.stint.apiserver.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.ApiServer;
import dev.stint.apiserver.World;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.DeleteOptions;
import dev.stint.harness.JobBuilder;
import dev.stint.harness.PodBuilder;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class ObjectUpdateTest {
  private final World world = new World();

  @Test
  void anUpdateReplacesAllButTheStatus() {
    KubeObject job = world.create(JobBuilder.named("pi").completions(2));
    world.answer(world.api.patchStatus(World.job("pi"), World.tree("{'status': {'active': 1}}")));
    ObjectNode wanted = world.get(World.job("pi")).copy();
    wanted.withObjectProperty("spec").put("parallelism", 5);
    wanted.putObject("status").put("active", 9);
    KubeObject updated = world.answer(world.api.update(KubeObject.of(wanted)));
    assertThat(updated.tree().path("spec").path("parallelism").intValue()).isEqualTo(5);
    assertThat(Json.integer(updated.status(), "active")).isEqualTo(1);
    assertThat(updated.uid()).isEqualTo(job.uid());
    assertThat(updated.generation()).isEqualTo(2);
  }

  @Test
  void aStatusUpdateReplacesNothingButTheStatusAndMetadata() {
    ObjectNode wanted = world.create(JobBuilder.named("pi").completions(2)).copy();
    wanted.withObjectProperty("spec").put("parallelism", 5);
    wanted.withObjectProperty("metadata").withObjectProperty("labels").put("a", "b");
    wanted.putObject("status").put("active", 1);
    KubeObject updated = world.answer(world.api.updateStatus(KubeObject.of(wanted)));
    assertThat(updated.tree().path("spec").path("parallelism").asInt(1)).isEqualTo(1);
    assertThat(updated.labels()).containsEntry("a", "b");
    assertThat(Json.integer(updated.status(), "active")).isEqualTo(1);
    assertThat(updated.generation()).isEqualTo(1);
  }

  @Test
  void anUpdateOfAnOlderRevisionIsAConflict() {
    KubeObject job = world.create(JobBuilder.named("pi").completions(2));
    world.patch(World.job("pi"), "{'metadata': {'labels': {'a': 'b'}}}");
    ObjectNode wanted = job.copy();
    wanted.withObjectProperty("metadata").withObjectProperty("labels").put("a", "c");
    var refusal = world.refusal(world.api.update(KubeObject.of(wanted)));
    assertThat(refusal.reason()).isEqualTo(Reason.CONFLICT);
    assertThat(refusal)
        .hasMessage(
            "Operation cannot be fulfilled on jobs.batch \"pi\": the object has been modified;"
                + " please apply your changes to the latest version and try again");
    assertThat(world.refusal(world.api.updateStatus(KubeObject.of(wanted))).reason())
        .isEqualTo(Reason.CONFLICT);
  }

  @Test
  void ofTwoUpdatesOfOneRevisionAtOnceOneWins() {
    KubeObject map = world.create(World.configMapJson("m", ""));
    ObjectNode one = map.copy();
    one.withObjectProperty("data").put("k", "one");
    ObjectNode other = map.copy();
    other.withObjectProperty("data").put("k", "other");
    var first = world.api.update(KubeObject.of(one));
    var second = world.api.update(KubeObject.of(other));
    assertThat(world.refusal(second).reason()).isEqualTo(Reason.CONFLICT);
    assertThat(world.answer(first).tree().path("data").path("k").asString()).isEqualTo("one");
  }

  @Test
  void anUpdateWithoutARevisionReplacesWhatever() {
    world.create(World.configMapJson("m", ""));
    var wanted = World.document(World.configMapJson("m", ", 'labels': {'a': 'b'}"));
    KubeObject updated = world.answer(world.api.update(wanted));
    assertThat(updated.labels()).containsEntry("a", "b");
    assertThat(updated.creationTimestamp()).isEqualTo(World.START);
  }

  @Test
  void anUpdateThatChangesNothingWritesNothing() {
    KubeObject job = world.create(JobBuilder.named("pi").completions(2));
    long revision = world.store.revision();
    KubeObject same = world.answer(world.api.update(job));
    assertThat(same.resourceVersion()).isEqualTo(job.resourceVersion());
    assertThat(world.answer(world.api.updateStatus(job)).resourceVersion())
        .isEqualTo(job.resourceVersion());
    world.patch(World.job("pi"), "{}");
    world.patch(World.job("pi"), "{'metadata': {'labels': null, 'finalizers': []}}");
    world.patch(World.job("pi"), "{'spec': {'completions': 2}}");
    assertThat(world.store.revision()).isEqualTo(revision);
  }

  @Test
  void theSameNumberInAnotherJavaTypeIsNoChange() {
    world.create(JobBuilder.named("pi").completions(2));
    long revision = world.store.revision();
    ObjectNode patch = Json.object();
    patch.putObject("spec").put("completions", 2L);
    KubeObject same = world.answer(world.api.patch(World.job("pi"), patch));
    assertThat(same.generation()).isEqualTo(1);
    assertThat(world.store.revision()).isEqualTo(revision);
  }

  @Test
  void anotherCreationTimestampIsIgnored() {
    ObjectNode wanted = world.create(World.configMapJson("m", "")).copy();
    wanted.withObjectProperty("metadata").put("creationTimestamp", "2020-01-01T00:00:00Z");
    KubeObject updated = world.answer(world.api.update(KubeObject.of(wanted)));
    assertThat(updated.creationTimestamp()).isEqualTo(World.START);
  }

  @Test
  void anUpdateDeletesNothing() {
    ObjectNode wanted = world.create(World.configMapJson("m", "")).copy();
    wanted
        .withObjectProperty("metadata")
        .put("deletionTimestamp", "2020-01-01T00:00:00Z")
        .put("deletionGracePeriodSeconds", 0);
    var refusal = world.refusal(world.api.update(KubeObject.of(wanted)));
    assertThat(refusal.reason()).isEqualTo(Reason.INVALID);
    assertThat(refusal.causes())
        .extracting(fault -> fault.path())
        .containsOnly("metadata.deletionTimestamp", "metadata.deletionGracePeriodSeconds");
  }

  @Test
  void aDeletionThatHasBegunKeepsItsTime() {
    World local = new World(ApiServer.Options.defaults().withNode("here"));
    KubeObject pod = local.create(PodBuilder.named("p"));
    local.answer(local.api.delete(World.pod("p"), DeleteOptions.only(pod.uid())));
    KubeObject deleting = local.get(World.pod("p"));
    ObjectNode wanted = deleting.copy();
    wanted.withObjectProperty("metadata").put("deletionTimestamp", "2020-01-01T00:00:00Z");
    KubeObject updated = local.answer(local.api.update(KubeObject.of(wanted)));
    assertThat(updated.deletionTimestamp()).isEqualTo(deleting.deletionTimestamp());
  }

  @Test
  void revisionZeroIsAnyAndWhatIsNoNumberIsRefused() {
    world.create(World.configMapJson("m", ""));
    var any = World.document(World.configMapJson("m", ", 'resourceVersion': '0'"));
    assertThat(world.answer(world.api.update(any)).name()).isEqualTo("m");
    for (String malformed : List.of("x", "+1", "-1", "99999999999999999999")) {
      var wanted =
          World.document(World.configMapJson("m", ", 'resourceVersion': '" + malformed + "'"));
      assertThat(world.refusal(world.api.update(wanted)).reason()).isEqualTo(Reason.BAD_REQUEST);
    }
  }

  @Test
  void thePrefixOfAGeneratedNameIsCheckedInUpdatesToo() {
    ObjectNode wanted = world.create(JobBuilder.named("pi").completions(2)).copy();
    wanted.withObjectProperty("metadata").put("generateName", "Bad_");
    var refusal = world.refusal(world.api.update(KubeObject.of(wanted)));
    assertThat(refusal.causes())
        .extracting(fault -> fault.path())
        .containsOnly("metadata.generateName");
  }

  @Test
  void anUpdateOfAnotherUidIsAConflict() {
    KubeObject map = world.create(World.configMapJson("m", ""));
    var wanted = World.document(World.configMapJson("m", ", 'uid': 'nope'"));
    var refusal = world.refusal(world.api.update(wanted));
    assertThat(refusal.reason()).isEqualTo(Reason.CONFLICT);
    assertThat(refusal)
        .hasMessage(
            "Operation cannot be fulfilled on configmaps \"m\": Precondition failed: UID in"
                + " precondition: nope, UID in object meta: "
                + map.uid());
  }

  @Test
  void anUpdateOfWhatIsNotThereFindsNothing() {
    var refusal = world.refusal(world.api.update(JobBuilder.named("none").completions(2).build()));
    assertThat(refusal.reason()).isEqualTo(Reason.NOT_FOUND);
    assertThat(refusal).hasMessage("jobs.batch \"none\" not found");
    assertThat(world.refusal(world.api.get(World.pod("none"))))
        .hasMessage("pods \"none\" not found");
  }

  @Test
  void aPatchMergesAndRemoves() {
    world.create(World.configMapJson("m", ", 'labels': {'a': '1', 'b': '2'}"));
    KubeObject patched =
        world.patch(
            World.configMap("m"), "{'metadata': {'labels': {'a': null, 'c': '3'}}, 'data': null}");
    assertThat(patched.labels()).containsOnlyKeys("b", "c");
    assertThat(patched.tree().has("data")).isFalse();
  }

  @Test
  void aPatchOfAnotherUidOrRevisionIsAConflict() {
    KubeObject map = world.create(World.configMapJson("m", ""));
    var uid = world.api.patch(World.configMap("m"), World.tree("{'metadata': {'uid': 'nope'}}"));
    assertThat(world.refusal(uid).reason()).isEqualTo(Reason.CONFLICT);
    var old =
        world.api.patch(
            World.configMap("m"),
            World.tree("{'metadata': {'resourceVersion': '1', 'labels': {'a': 'b'}}}"));
    assertThat(world.refusal(old).reason()).isEqualTo(Reason.CONFLICT);
    KubeObject patched =
        world.patch(
            World.configMap("m"),
            "{'metadata': {'uid': '%s', 'resourceVersion': '%s', 'labels': {'a': 'b'}}}"
                .formatted(map.uid(), map.resourceVersion()));
    assertThat(patched.labels()).containsEntry("a", "b");
  }

  @Test
  void patchesAtOnceAllHoldWithoutTheirCallersKnowing() {
    world.create(PodBuilder.named("p"));
    Stream<CompletableFuture<KubeObject>> patches =
        IntStream.range(0, 20)
            .mapToObj(i -> "{'metadata': {'annotations': {'a%d': 'x'}}}".formatted(i))
            .map(patch -> world.api.patch(World.pod("p"), World.tree(patch)));
    assertThat(patches.toList()).allSatisfy(patch -> world.answer(patch));
    assertThat(world.get(World.pod("p")).annotations()).hasSize(20);
  }

  @Test
  void aPatchWithARevisionIsNotTriedAgain() {
    KubeObject map = world.create(World.configMapJson("m", ""));
    String patch = "{'metadata': {'resourceVersion': '%s', 'labels': {'a': '%s'}}}";
    var one =
        world.api.patch(
            World.configMap("m"), World.tree(patch.formatted(map.resourceVersion(), "1")));
    var other =
        world.api.patch(
            World.configMap("m"), World.tree(patch.formatted(map.resourceVersion(), "2")));
    assertThat(world.answer(one).labels()).containsEntry("a", "1");
    assertThat(world.refusal(other).reason()).isEqualTo(Reason.CONFLICT);
  }

  @Test
  void aPatchOfTheSpecLeavesTheStatusAloneAndTheOtherWayRound() {
    world.create(JobBuilder.named("pi").completions(2));
    KubeObject main = world.patch(World.job("pi"), "{'status': {'active': 7}}");
    assertThat(main.status()).isEqualTo(Json.object());
    KubeObject status =
        world.answer(
            world.api.patchStatus(
                World.job("pi"),
                World.tree("{'spec': {'parallelism': 7}, 'status': {'active': 1}}")));
    assertThat(status.spec()).isEqualTo(main.spec());
    assertThat(Json.integer(status.status(), "active")).isEqualTo(1);
  }

  @Test
  void theSpecOfAPodIsFixedButForItsImages() {
    world.create(PodBuilder.named("p"));
    var refusal =
        world.refusal(
            world.api.patch(World.pod("p"), World.tree("{'spec': {'restartPolicy': 'Always'}}")));
    assertThat(refusal.causes()).extracting(fault -> fault.path()).containsExactly("spec");
    ObjectNode wanted = world.get(World.pod("p")).copy();
    ((ObjectNode) wanted.path("spec").path("containers").path(0)).put("image", "other");
    KubeObject updated = world.answer(world.api.update(KubeObject.of(wanted)));
    assertThat(updated.generation()).isEqualTo(2);
  }

  @Test
  void aReplacedPodGetsWhatAdmissionAddsAgain() {
    KubeObject pod = world.create(PodBuilder.named("p"));
    ObjectNode wanted = pod.copy();
    wanted
        .withObjectProperty("spec")
        .remove(List.of("tolerations", "priority", "preemptionPolicy"));
    assertThat(world.answer(world.api.update(KubeObject.of(wanted.deepCopy()))).spec())
        .isEqualTo(pod.spec());
    wanted
        .withObjectProperty("spec")
        .putArray("tolerations")
        .addObject()
        .put("key", "k")
        .put("operator", "Exists");
    KubeObject updated = world.answer(world.api.update(KubeObject.of(wanted)));
    assertThat(updated.tree().at("/spec/tolerations")).hasSize(3);
    assertThat(updated.generation()).isEqualTo(2);
  }

  @Test
  void aStatusOfAPodKeepsItsQosClass() {
    ObjectNode wanted = world.create(PodBuilder.named("p")).copy();
    wanted.putObject("status").put("phase", "Running");
    KubeObject running = world.answer(world.api.updateStatus(KubeObject.of(wanted)));
    assertThat(running.status())
        .isEqualTo(World.tree("{'phase': 'Running', 'qosClass': 'BestEffort'}"));
  }

  @Test
  void aStatusThatCannotBeIsRefused() {
    world.create(JobBuilder.named("pi").completions(2));
    var refusal =
        world.refusal(
            world.api.patchStatus(World.job("pi"), World.tree("{'status': {'active': -1}}")));
    assertThat(refusal.reason()).isEqualTo(Reason.INVALID);
    assertThat(refusal.causes()).extracting(fault -> fault.path()).contains("status.active");
  }

  @Test
  void whatMayNotChangeInAJobIsRefused() {
    world.create(JobBuilder.named("pi").completions(2));
    var refusal =
        world.refusal(
            world.api.patch(
                World.job("pi"), World.tree("{'spec': {'completionMode': 'Indexed'}}")));
    assertThat(refusal.causes())
        .extracting(fault -> fault.path())
        .containsExactly("spec.completionMode");
  }

  @Test
  void labelsOfAJobComeBackFromItsTemplate() {
    KubeObject job = world.create(JobBuilder.named("pi").completions(2));
    KubeObject patched = world.patch(World.job("pi"), "{'metadata': {'labels': null}}");
    assertThat(patched.labels()).isNotEmpty().isEqualTo(job.labels());
  }

  @Test
  void anObjectThatIsBeingDeletedCanBeReplacedByWhatWasReadOfIt() {
    World local = new World(ApiServer.Options.defaults().withNode("here"));
    KubeObject pod = local.create(PodBuilder.named("p"));
    local.answer(local.api.delete(World.pod("p"), DeleteOptions.only(pod.uid())));
    ObjectNode read = Json.parse(local.get(World.pod("p")).bytes());
    read.withObjectProperty("metadata").withObjectProperty("labels").put("a", "b");
    KubeObject updated = local.answer(local.api.update(KubeObject.of(read)));
    assertThat(updated.labels()).containsEntry("a", "b");
  }
}
