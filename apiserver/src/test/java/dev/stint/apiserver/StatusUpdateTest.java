package dev.stint.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.ClusterException.Reason;
import dev.stint.harness.JobBuilder;
import dev.stint.harness.PodBuilder;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.field.FieldError;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** The changes that a write to a subresource may make besides the status. */
class StatusUpdateTest {
  private static final ObjectRef NAMESPACE = new ObjectRef(Kind.NAMESPACE, "", "n");

  private final World world = new World();

  @Test
  void aStatusDeletesNoJob() {
    world.create(JobBuilder.named("pi").completions(2));
    assertThat(
            refused(World.job("pi"), "{'metadata': {'deletionTimestamp': '2020-01-01T00:00:00Z'}}"))
        .containsOnly("metadata.deletionTimestamp");
    assertThat(refused(World.job("pi"), "{'metadata': {'deletionGracePeriodSeconds': 0}}"))
        .containsOnly("metadata.deletionGracePeriodSeconds");
    assertThat(world.get(World.job("pi")).deletionTimestamp()).isNull();
  }

  @Test
  void aStatusDeletesNoPod() {
    world.create(PodBuilder.named("p").finalizers("x.io/f"));
    KubeObject pod =
        status(World.pod("p"), "{'metadata': {'deletionTimestamp': '2020-01-01T00:00:00Z'}}");
    assertThat(pod.deletionTimestamp()).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'labels': {'bad key': 'x'}, 'finalizers': ['x.io/f']",
        "'labels': {'a': 'bad value!'}",
        "'annotations': {'bad key': 'x'}",
        "'ownerReferences': [{'apiVersion': 'v1', 'kind': 'Pod', 'name': 'x'}]",
      })
  void metadataThatNoUpdateMayWriteIsRefusedWithAStatusToo(String metadata) {
    world.create(JobBuilder.named("pi").completions(2));
    assertThat(refused(World.job("pi"), "{'metadata': {" + metadata + "}}"))
        .allMatch(path -> path.startsWith("metadata."));
    assertThat(world.get(World.job("pi")).finalizers()).isEmpty();
  }

  @Test
  void aStatusChangesSoundMetadataAsInKubernetes() {
    world.create(JobBuilder.named("pi").completions(2));
    KubeObject job =
        status(
            World.job("pi"), "{'metadata': {'annotations': {'a': 'b'}, 'finalizers': ['x.io/f']}}");
    assertThat(job.annotations()).containsEntry("a", "b");
    assertThat(job.finalizers()).containsExactly("x.io/f");
  }

  @Test
  void aFinalizerOfAnyFormThatAStatusBroughtHoldsUpNoUpdate() {
    world.create(JobBuilder.named("pi").completions(2));
    KubeObject job = status(World.job("pi"), "{'metadata': {'finalizers': ['bad']}}");
    ObjectNode wanted = job.copy();
    wanted.withObjectProperty("metadata").withObjectProperty("labels").put("a", "b");
    assertThat(world.answer(world.api.update(KubeObject.of(wanted))).labels())
        .containsEntry("a", "b");
    assertThat(world.patch(World.job("pi"), "{'metadata': {'finalizers': null}}").finalizers())
        .isEmpty();
  }

  @Test
  void aNamespaceIsActiveUntilItIsBeingDeleted() {
    world.create("{'apiVersion': 'v1', 'kind': 'Namespace', 'metadata': {'name': 'n'}}");
    assertThat(refused(NAMESPACE, "{'status': {'phase': 'Terminating'}}"))
        .containsExactly("status.Phase");
    assertThat(Json.text(status(NAMESPACE, "{'status': {'phase': null}}").status(), "phase"))
        .isEqualTo("Active");
  }

  @Test
  void finalizersOfANamespaceAreChecked() {
    ObjectNode wanted =
        world.create("{'apiVersion': 'v1', 'kind': 'Namespace', 'metadata': {'name': 'n'}}").copy();
    wanted.withObjectProperty("spec").putArray("finalizers").add("bad one");
    wanted.withObjectProperty("metadata").put("deletionTimestamp", "2020-01-01T00:00:00Z");
    var refusal = world.refusal(world.api.updateFinalize(KubeObject.of(wanted)));
    assertThat(refusal.causes())
        .extracting(FieldError::path)
        .contains("metadata.deletionTimestamp")
        .anyMatch(path -> path.startsWith("spec.finalizers"));
  }

  private KubeObject status(ObjectRef ref, String patch) {
    return world.answer(world.api.patchStatus(ref, World.tree(patch)));
  }

  private List<String> refused(ObjectRef ref, String patch) {
    var refusal = world.refusal(world.api.patchStatus(ref, World.tree(patch)));
    assertThat(refusal.reason()).isEqualTo(Reason.INVALID);
    return refusal.causes().stream().map(FieldError::path).toList();
  }
}
