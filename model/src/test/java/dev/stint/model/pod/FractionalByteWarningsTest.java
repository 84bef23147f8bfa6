package dev.stint.model.pod;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FractionalByteWarningsTest {
  @Test
  void memoryAndStorageAreCountedInWholeBytes() {
    assertThat(
            PodTemplates.containerWarnings(
                "resources:",
                "  requests: {memory: 1.5, ephemeral-storage: 1Gi, cpu: 100m}",
                "  limits: {memory: 2, ephemeral-storage: 1500m}"))
        .containsExactly(
            "spec.containers[0].resources.requests[memory]: fractional byte value \"1500m\" is"
                + " invalid, must be an integer",
            "spec.containers[0].resources.limits[ephemeral-storage]: fractional byte value"
                + " \"1500m\" is invalid, must be an integer");
    assertThat(PodTemplates.warnings("overhead: {memory: 100m}"))
        .containsExactly(
            "spec.overhead[memory]: fractional byte value \"100m\" is invalid, must be an integer");
  }
}
