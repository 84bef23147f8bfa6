package dev.stint.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.JobBuilder;
import dev.stint.model.KubeObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class WrittenJobTest {
  private static JobBuilder stored(String label) {
    return JobBuilder.indexed("pi")
        .uid("u")
        .label("app", "x")
        .label("batch.kubernetes.io/controller-uid", "u")
        .annotation("mine", "y")
        .annotation("stint.dev/after", "extract")
        .annotation("kubectl.kubernetes.io/last-applied-configuration", "{}")
        .selecting(label, "u")
        .spec("'manualSelector':false,'suspend':true")
        .spec(
            "'template':{'metadata':{'creationTimestamp':null,'labels':{'controller-uid':'u','tier':'z'}},'spec':{'containers':[]}}")
        .status("'succeeded':1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"batch.kubernetes.io/controller-uid", "controller-uid"})
  void aStoredJobIsOneThatSelectsItsPodsByItsUid(String label) {
    assertThat(WrittenJob.isStored(stored(label).build())).isTrue();
    assertThat(WrittenJob.isStored(stored(label).uid("").build())).isFalse();
    assertThat(WrittenJob.isStored(stored(label).uid("v").build())).isFalse();
    assertThat(WrittenJob.isStored(JobBuilder.indexed("pi").uid("u").build())).isFalse();
  }

  @Test
  void whatTheApiAddsIsLeftOut() {
    KubeObject written = KubeObject.of(WrittenJob.of(stored("controller-uid").build()));
    assertThat(written.uid()).isEmpty();
    assertThat(written.status()).isNull();
    assertThat(written.labels()).containsOnlyKeys("app");
    assertThat(written.annotations()).containsOnlyKeys("mine", "stint.dev/after");
    assertThat(written.tree().get("spec"))
        .hasToString(
            "{\"template\":{\"metadata\":{\"labels\":{\"tier\":\"z\"}},\"spec\":{\"containers\":[]}},\"completionMode\":\"Indexed\",\"suspend\":true}");
  }

  @Test
  void aDocumentWithoutANamespaceGetsNone() {
    ObjectNode job = stored("controller-uid").build().copy();
    job.withObjectProperty("metadata").remove("namespace");
    ObjectNode written = WrittenJob.of(KubeObject.of(job));
    assertThat(written.at("/metadata/namespace").isMissingNode()).isTrue();
  }
}
