package dev.stint.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.util.List;
import org.junit.jupiter.api.Test;

class VersionedFieldsTest {
  private static final String ALL =
      """
      {"kind": "Job", "spec": {
        "backoffLimitPerIndex": 1, "podReplacementPolicy": "Failed",
        "successPolicy": {"rules": []}, "managedBy": "example.com/x",
        "template": {"spec": {
          "initContainers": [{"name": "a"}, {"name": "b", "restartPolicy": "Always"}],
          "containers": [{"name": "main", "image": "busybox"}],
          "volumes": [{"name": "v", "image": {"reference": "x"}}]}}}}
      """;

  private static List<String> dropped(String job, String version) {
    return VersionedFields.of(KubeObject.of(Json.parse(job)), ClusterVersion.of(version)).stream()
        .map(VersionedFields.Dropped::path)
        .toList();
  }

  @Test
  void eachVersionDropsWhatItDoesNotHaveYet() {
    assertThat(dropped(ALL, "v1.30.4-gke.100"))
        .containsExactly(
            "spec.successPolicy", "spec.managedBy", "spec.template.spec.volumes[0].image");
    assertThat(dropped(ALL, "v1.31.0"))
        .containsExactly("spec.managedBy", "spec.template.spec.volumes[0].image");
    assertThat(dropped(ALL, "v1.32.0")).containsExactly("spec.template.spec.volumes[0].image");
    assertThat(dropped(ALL, "v1.36.2+k3s1")).isEmpty();
    assertThat(dropped(ALL, "v1.28.1"))
        .contains(
            "spec.backoffLimitPerIndex",
            "spec.podReplacementPolicy",
            "spec.template.spec.initContainers[1].restartPolicy")
        .doesNotContain("spec.template.spec.initContainers[0].restartPolicy");
    assertThat(dropped(ALL, "unknown")).isEmpty();
  }

  @Test
  void whatFollowsIsSaid() {
    KubeObject job = KubeObject.of(Json.parse(ALL));
    assertThat(VersionedFields.of(job, ClusterVersion.of("v1.31.2")).getFirst().detail())
        .isEqualTo(
            "the cluster has v1.31.2 and would drop this field, so that its built-in controller"
                + " would run the Job; it needs 1.32 or later");
  }
}
