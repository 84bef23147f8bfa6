package dev.stint.controllers.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.protobuf.ProtobufDocument;
import dev.stint.engine.pod.PodView;
import dev.stint.harness.JobBuilder;
import dev.stint.harness.PodBuilder;
import dev.stint.harness.PodsOfNewerApi;
import dev.stint.harness.TestWorld;
import dev.stint.model.KubeObject;
import dev.stint.model.pod.PodPhase;
import java.util.List;
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
}
