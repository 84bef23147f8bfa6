package dev.stint.model.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.field.FieldPath;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class AnnotationWarningsTest {
  private static List<String> warnings(String annotation, String spec) {
    ObjectNode pod = PodTemplates.read("containers: [{name: main}]\n  " + spec);
    pod.withObjectProperty("metadata").putObject("annotations").put(annotation, "x");
    return PodTemplateWarnings.ofTemplate(FieldPath.root(pod));
  }

  @Test
  void annotationsThatFieldsHaveReplacedAreNamed() {
    assertThat(warnings("scheduler.alpha.kubernetes.io/critical-pod", ""))
        .containsExactly(
            "metadata.annotations[scheduler.alpha.kubernetes.io/critical-pod]: non-functional in"
                + " v1.16+; use the \"priorityClassName\" field instead");
    assertThat(warnings("container.seccomp.security.alpha.kubernetes.io/main", ""))
        .containsExactly(
            "metadata.annotations[container.seccomp.security.alpha.kubernetes.io/main]:"
                + " non-functional in v1.27+; use the \"seccompProfile\" field instead");
    assertThat(warnings("container.seccomp.security.alpha.kubernetes.io/other", "")).isEmpty();
    assertThat(warnings("container.apparmor.security.beta.kubernetes.io/main", ""))
        .containsExactly(
            "metadata.annotations[container.apparmor.security.beta.kubernetes.io/main]: deprecated"
                + " since v1.30; use the \"appArmorProfile\" field instead");
  }

  @Test
  void anAnnotationBesideItsFieldIsFine() {
    String seccomp = "securityContext: {seccompProfile: {type: RuntimeDefault}}";
    assertThat(warnings("seccomp.security.alpha.kubernetes.io/pod", "")).hasSize(1);
    assertThat(warnings("seccomp.security.alpha.kubernetes.io/pod", seccomp)).isEmpty();
    String appArmor = "securityContext: {appArmorProfile: {type: RuntimeDefault}}";
    assertThat(warnings("container.apparmor.security.beta.kubernetes.io/main", appArmor)).isEmpty();
  }
}
