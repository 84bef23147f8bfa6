package dev.stint.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.FakeCluster;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.podsecurity.PodSecuritySettings;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The node's own check of pods, which may be older than the level of their namespace. */
class NamespaceLevelsTest {
  private final FakeCluster cluster = new FakeCluster(Runnable::run, () -> Instant.EPOCH);

  @Test
  void aPodBeyondTheLevelOfItsNamespaceMustNotStart() {
    namespace("held", "baseline");
    namespace("open", "privileged");
    NamespaceLevels levels = new NamespaceLevels(cluster, PodSecuritySettings.LABELS_ONLY);
    assertThat(levels.refusals(pod("held")))
        .singleElement()
        .asString()
        .contains("violates PodSecurity \"baseline:latest\"", "host namespaces");
    assertThat(levels.refusals(pod("open"))).isEmpty();
    assertThat(levels.refusals(pod("unknown"))).isEmpty();
    assertThat(levels.isPrivileged("held")).isFalse();
    assertThat(levels.isPrivileged("open")).isTrue();
  }

  @Test
  void exemptionsHoldForTheNodeToo() {
    namespace("held", "baseline");
    PodSecuritySettings plain = PodSecuritySettings.LABELS_ONLY;
    PodSecuritySettings namespace =
        new PodSecuritySettings(plain.defaults(), Set.of(), Set.of(), Set.of("held"));
    assertThat(new NamespaceLevels(cluster, namespace).refusals(pod("held"))).isEmpty();
    assertThat(new NamespaceLevels(cluster, namespace).isPrivileged("held")).isTrue();
    PodSecuritySettings user =
        new PodSecuritySettings(plain.defaults(), Set.of("admin"), Set.of(), Set.of());
    assertThat(new NamespaceLevels(cluster, user).refusals(pod("held")))
        .as("it is unknown who created the pod")
        .isEmpty();
  }

  private void namespace(String name, String level) {
    cluster.put(
        Json.parse(
            """
            {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "%s", "labels":
              {"pod-security.kubernetes.io/enforce": "%s"}}}
            """
                .formatted(name, level)));
  }

  private static KubeObject pod(String namespace) {
    return KubeObject.of(
        Json.parse(
            """
            {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "namespace": "%s"},
             "spec": {"hostNetwork": true, "containers": [{"name": "c"}]}}
            """
                .formatted(namespace)));
  }
}
