package dev.stint.controllers.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.protobuf.ProtobufDocument;
import dev.stint.covers.Covers;
import dev.stint.engine.pod.PodView;
import dev.stint.harness.JobBuilder;
import dev.stint.harness.PodBuilder;
import dev.stint.harness.PodsOfNewerApi;
import dev.stint.harness.TestWorld;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.pod.PodPhase;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AdoptionTest {
  private final TestWorld world = new TestWorld();
  private final Adoption adoption = new Adoption();

  private KubeObject job() {
    return world.api.add(JobBuilder.named("j").selecting("a", "b"));
  }

  private KubeObject pod(String name, String metadata) {
    return world.api.add(PodBuilder.named(name).metadata(metadata).running());
  }

  @Test
  void aJobMayHaveThePodsThatItsSelectorMatches() {
    KubeObject matching = pod("p", "'labels':{'a':'b'},'finalizers':['x/y']");
    adoption.put(matching);
    adoption.put(pod("other", "'labels':{'a':'c'}"));
    adoption.put(pod("ending", "'labels':{'a':'b'},'deletionTimestamp':'2026-01-31T12:00:00Z'"));
    KubeObject job = job();
    List<KubeObject> found = adoption.of(job);
    assertThat(found).extracting(KubeObject::ref).containsExactly(matching.ref());
    assertThat(found.getFirst().finalizers()).containsExactly("x/y");
    adoption.remove(matching.uid());
    assertThat(adoption.of(job)).isEmpty();
  }

  @Test
  void podsOfAYoungerApiAreRead() {
    KubeObject young = ProtobufDocument.object(PodsOfNewerApi.message(), false);
    assertThat(PodView.of(young).phase()).isEqualTo(PodPhase.Running);
    adoption.put(ProtobufDocument.object(PodsOfNewerApi.message(), true));
    assertThat(adoption.of(job())).extracting(KubeObject::ref).containsExactly(young.ref());
  }

  /** There may be many thousands of pods that no Job adopts. */
  @Test
  void onlyAFewFieldsOfAPodAreKept() {
    adoption.put(pod("p", "'labels':{'a':'b'},'annotations':{'long':'text'},'managedFields':[]"));
    KubeObject kept = adoption.of(job()).getFirst();
    assertThat(kept.tree().propertyNames()).containsOnly("apiVersion", "kind", "metadata");
    assertThat(kept.tree().path("metadata").propertyNames())
        .containsOnly("namespace", "name", "uid", "resourceVersion", "labels");
  }

  private static final String OTHER_OWNER =
      "{'apiVersion':'v1','kind':'ConfigMap','name':'c','uid':'c'}";

  private static List<String> owners(KubeObject pod) {
    return pod.tree()
        .at("/metadata/ownerReferences")
        .valueStream()
        .map(owner -> owner.path("uid").asString())
        .toList();
  }

  private @Nullable KubeObject adopt(KubeObject job, KubeObject pod) {
    CompletableFuture<@Nullable KubeObject> adopted = adoption.adopt(world.api, job, pod);
    world.settle();
    return adopted.join();
  }

  @Test
  @Covers("TR-22")
  void anAdoptedPodHasTheJobAsItsControllerAndIsTrackedOnceBesideWhatItHad() {
    KubeObject job = job();
    for (String finalizers : List.of("'x/y'", "'x/y','" + Names.TRACKING_FINALIZER + "'")) {
      KubeObject pod =
          pod(
              "p" + finalizers.length(),
              "'finalizers':[" + finalizers + "],'ownerReferences':[" + OTHER_OWNER + "]");
      KubeObject adopted = Objects.requireNonNull(adopt(job, pod));
      assertThat(owners(adopted)).containsExactly("c", job.uid());
      assertThat(adopted.controllerUid()).isEqualTo(job.uid());
      assertThat(adopted.finalizers()).containsExactly("x/y", Names.TRACKING_FINALIZER);
    }
  }

  @Test
  void aReleasedPodKeepsOtherOwnersAndFinalizers() {
    KubeObject job = job();
    KubeObject pod = pod("p", "'finalizers':['x/y'],'ownerReferences':[" + OTHER_OWNER + "]");
    adoption.release(world.api, job, Objects.requireNonNull(adopt(job, pod)));
    world.settle();
    assertThat(owners(world.see(pod.ref()))).containsExactly("c");
    assertThat(world.see(pod.ref()).finalizers()).containsExactly("x/y");
  }

  @Test
  void aPodThatHasChangedIsNotAdopted() {
    KubeObject pod = pod("p", "'labels':{'a':'b'}");
    world.api.change(pod.ref(), "{'metadata':{'labels':{'a':'c'}}}");
    assertThat(adopt(job(), pod)).isNull();
    assertThat(world.see(pod.ref()).controllerUid()).isNull();
  }

  @Test
  void aJobThatIsDeletedOrWasReplacedAdoptsNothing() {
    KubeObject pod = pod("p", "'labels':{'a':'b'}");
    KubeObject job = job();
    KubeObject former = JobBuilder.named("j").uid("former").build();
    assertThat(adopt(former, pod)).isNull();
    world.api.change(
        job.ref(),
        "{'metadata':{'deletionTimestamp':'2026-01-31T12:00:05Z','finalizers':['x/y']}}");
    assertThat(adopt(job, pod)).isNull();
    assertThat(world.see(pod.ref()).controllerUid()).isNull();
  }

  @Test
  void podsOfOtherNamespacesDoNotMatchNorAnyWithoutASelector() {
    KubeObject job = job();
    KubeObject pod = PodBuilder.named("p").label("a", "b").build();
    assertThat(Adoption.matches(job, pod)).isTrue();
    KubeObject elsewhere =
        PodBuilder.named("p").label("a", "b").metadata("'namespace':'other'").build();
    assertThat(Adoption.matches(job, elsewhere)).isFalse();
    assertThat(Adoption.matches(JobBuilder.named("j").build(), pod)).isFalse();
  }
}
