package dev.stint.model.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.field.FieldPath;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class PodTemplateWarningsTest {
  @Test
  void aValidPodHasNoWarnings() {
    assertThat(PodTemplates.warnings()).isEmpty();
  }

  @Test
  void aGracePeriodBelowZeroIsTakenAsOne() {
    assertThat(PodTemplates.warnings("terminationGracePeriodSeconds: -1"))
        .containsExactly(
            "spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will"
                + " be treated as 1");
  }

  @Test
  void thePathOfATemplateIsReported() {
    ObjectNode job = Json.object();
    job.set("template", PodTemplates.read("terminationGracePeriodSeconds: -1"));
    assertThat(PodTemplateWarnings.ofTemplate(FieldPath.root(job).get("template")))
        .singleElement()
        .asString()
        .startsWith("template.spec.terminationGracePeriodSeconds: ");
  }

  @Test
  void thePodsHostnameIsItsName() {
    ObjectNode pod = PodTemplates.read("containers: []");
    assertThat(PodTemplateWarnings.ofPod(FieldPath.root(pod))).isEmpty();
    pod.withObjectProperty("metadata").put("name", "a.b");
    assertThat(PodTemplateWarnings.ofPod(FieldPath.root(pod)))
        .containsExactly(
            "metadata.name: this is used in the Pod's hostname, which can result in surprising"
                + " behavior; a DNS label is recommended: [must not contain dots]");
  }
}
