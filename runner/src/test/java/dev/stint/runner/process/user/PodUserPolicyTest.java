package dev.stint.runner.process.user;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.field.FieldError;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PodUserPolicyTest {
  private static final PodUserPolicy POLICY =
      new PodUserPolicy(_ -> Optional.of(new PodUser(100, 200)), "trusted"::equals);

  @Test
  void aPodRunsAsTheUserOfItsNamespace() {
    assertThat(assigned("{}")).isEqualTo("{\"runAsUser\":100,\"runAsGroup\":200}");
    assertThat(assigned("{\"runAsUser\":100}")).isEqualTo("{\"runAsUser\":100,\"runAsGroup\":200}");
    assertThat(refused("a", "{\"runAsUser\":100,\"runAsGroup\":200,\"fsGroup\":200}", "{}"))
        .isEmpty();
  }

  @Test
  void aPodNamesNoOtherUserOrGroup() {
    assertThat(
            refused(
                "a",
                "{\"runAsUser\":0,\"runAsGroup\":0,\"fsGroup\":0,\"supplementalGroups\":[200,42]}",
                "{\"runAsUser\":101,\"runAsGroup\":7}"))
        .containsExactly(
            "spec.securityContext.runAsUser",
            "spec.securityContext.runAsGroup",
            "spec.securityContext.fsGroup",
            "spec.securityContext.supplementalGroups[1]",
            "spec.containers[0].securityContext.runAsUser",
            "spec.containers[0].securityContext.runAsGroup");
  }

  @Test
  void aPrivilegedNamespaceMayNameOthers() {
    assertThat(refused("trusted", "{\"runAsUser\":0}", "{}")).isEmpty();
    assertThat(assigned("{\"runAsUser\":0}")).isEqualTo("{\"runAsUser\":0}");
  }

  @Test
  void withoutAUserAPodIsRefused() {
    PodUserPolicy none =
        new PodUserPolicy(
            _ -> {
              throw new IOException("all are taken");
            },
            _ -> true);
    assertThat(none.refusals(pod("a", "{}", "{}")))
        .extracting(FieldError::detail)
        .containsExactly("all are taken");
  }

  @Test
  void withoutAPolicyPodsStayAsTheyAre() {
    KubeObject pod = pod("a", "{\"runAsUser\":0}", "{}");
    assertThat(PodUserPolicy.NONE.assign(pod)).isSameAs(pod);
    assertThat(PodUserPolicy.NONE.refusals(pod)).isEmpty();
  }

  private static String assigned(String context) {
    KubeObject pod = POLICY.assign(pod("a", context, "{}"));
    return String.valueOf(pod.spec().get("securityContext"));
  }

  private static List<String> refused(String namespace, String context, String inner) {
    return POLICY.refusals(pod(namespace, context, inner)).stream().map(FieldError::path).toList();
  }

  private static KubeObject pod(String namespace, String context, String inner) {
    return KubeObject.of(
        Json.parse(
            """
            {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "namespace": "%s"},
             "spec": {"securityContext": %s, "containers": [{"name": "c", "securityContext": %s}]}}
            """
                .formatted(namespace, context, inner)));
  }
}
