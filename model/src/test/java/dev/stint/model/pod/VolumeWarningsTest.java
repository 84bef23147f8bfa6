package dev.stint.model.pod;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class VolumeWarningsTest {
  @Test
  void typesThatClustersNoLongerMountAreNamed() {
    assertThat(
            PodTemplates.warnings(
                "volumes:",
                "- {name: a, emptyDir: {}}",
                "- {name: b, gitRepo: {repository: r}}",
                "- {name: c, storageos: {}}"))
        .containsExactly(
            "spec.volumes[1].gitRepo: deprecated in v1.11, and disabled by default in v1.33+",
            "spec.volumes[2].storageOS: deprecated in v1.22, non-functional in v1.25+");
  }

  @Test
  void partsOfBytesCannotBeClaimed() {
    assertThat(
            PodTemplates.warnings(
                "volumes:",
                "- name: a",
                "  ephemeral:",
                "    volumeClaimTemplate:",
                "      spec: {resources: {requests: {storage: 2m}, limits: {storage: 1Gi}}}"))
        .containsExactly(
            "spec.volumes[0].ephemeral.volumeClaimTemplate.spec.resources.requests[storage]:"
                + " fractional byte value \"2m\" is invalid, must be an integer");
  }
}
