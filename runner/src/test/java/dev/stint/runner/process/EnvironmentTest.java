package dev.stint.runner.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class EnvironmentTest {
  private final ObjectNode pod =
      Json.parse(
          """
          {"metadata": {"name": "pi-0-x", "namespace": "ns", "uid": "u", "labels": {"a/b": "label"},
              "annotations": {"c": "annotation"}},
            "spec": {"hostname": "pi-0", "nodeName": "here", "serviceAccountName": "robot"}}
          """);

  @Test
  void laterVariablesSeeEarlierOnesAndNoOthers() {
    ObjectNode container =
        Json.parse(
            """
            {"env": [{"name": "A", "value": "$(B)-$(HOME)"}, {"name": "B", "value": "2"},
              {"name": "C", "value": "$(A)+$(B)"}, {"name": "EMPTY"}]}
            """);
    assertThat(Environment.declared(KubeObject.of(pod), container))
        .containsExactly(
            Map.entry("A", "$(B)-$(HOME)"),
            Map.entry("B", "2"),
            Map.entry("C", "$(B)-$(HOME)+2"),
            Map.entry("EMPTY", ""));
  }

  @Test
  void fieldsOfThePodBecomeValues() {
    assertThat(field("metadata.name")).isEqualTo("pi-0-x");
    assertThat(field("metadata.namespace")).isEqualTo("ns");
    assertThat(field("metadata.uid")).isEqualTo("u");
    assertThat(field("metadata.labels['a/b']")).isEqualTo("label");
    assertThat(field("metadata.annotations['c']")).isEqualTo("annotation");
    assertThat(field("metadata.annotations['none']")).isEmpty();
    assertThat(field("spec.nodeName")).isEqualTo("here");
    assertThat(field("spec.serviceAccountName")).isEqualTo("robot");
    assertThat(field("status.podIP")).isEqualTo("127.0.0.1");
    assertThat(field("status.hostIP")).isEqualTo("127.0.0.1");
  }

  @Test
  void whatTheContainerDeclaresGoesBeforeWhatItInherits() {
    Map<String, String> full =
        Environment.full(
            Map.of("A", "inherited", "B", "inherited", "HOSTNAME", "machine"),
            Map.of("A", "declared"),
            KubeObject.of(pod),
            "/work");
    assertThat(full)
        .containsEntry("A", "declared")
        .containsEntry("B", "inherited")
        .containsEntry("HOSTNAME", "pi-0")
        .containsEntry("PWD", "/work")
        .containsEntry("STINT_POD_UID", "u");
  }

  @Test
  void aPodWithoutAHostnameIsCalledByItsNameCutToWhatAHostMayHave() {
    ObjectNode named = Json.object();
    named.putObject("metadata").put("name", "a".repeat(62) + ".bcd");
    assertThat(Environment.hostname(KubeObject.of(named))).isEqualTo("a".repeat(62));
  }

  private String field(String path) {
    return FieldRef.value(KubeObject.of(pod), Json.object().put("fieldPath", path));
  }
}
