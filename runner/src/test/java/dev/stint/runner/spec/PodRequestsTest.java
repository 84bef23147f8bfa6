package dev.stint.runner.spec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import org.junit.jupiter.api.Test;

class PodRequestsTest {
  private static final ResourceAmount MACHINE = new ResourceAmount(2000, 64L << 20);

  @Test
  void mainContainersAndSidecarsAddUpAndOverheadComesOnTop() {
    assertThat(
            amount(
                """
                {"overhead": {"cpu": "50m"},
                 "initContainers": [
                   {"restartPolicy": "Always", "resources": {"requests": {"cpu": "100m"}}}],
                 "containers": [{"resources": {"requests": {"cpu": "1", "memory": "1Mi"}}},
                   {"resources": {"limits": {"cpu": "0.5"}, "requests": {"memory": "1k"}}}, {}]}
                """))
        .isEqualTo(new ResourceAmount(1650, (1 << 20) + 1000));
  }

  @Test
  void anInitContainerAddsToTheSidecarsBeforeItOnly() {
    assertThat(
            amount(
                """
                {"initContainers": [
                   {"restartPolicy": "Always", "resources": {"requests": {"cpu": "100m"}}},
                   {"resources": {"requests": {"cpu": "3"}}},
                   {"restartPolicy": "Always", "resources": {"requests": {"cpu": "200m"}}}],
                 "containers": [{"resources": {"requests": {"cpu": "1"}}}]}
                """))
        .isEqualTo(new ResourceAmount(3100, 0));
  }

  @Test
  void requestsOfThePodReplaceThoseOfItsContainers() {
    assertThat(
            amount(
                """
                {"resources": {"requests": {"cpu": "4"}},
                 "containers": [{"resources": {"requests": {"cpu": "1", "memory": "5"}}}]}
                """))
        .isEqualTo(new ResourceAmount(4000, 5));
  }

  @Test
  void theObstacleNamesBothAmounts() {
    assertThat(
            requests(
                    """
                    {"containers": [{"resources": {"requests":
                      {"cpu": "2500m", "memory": "1Gi", "nvidia.com/gpu": "1"}}}]}
                    """)
                .obstacle(MACHINE))
        .isEqualTo(
            "0/1 nodes are available: insufficient cpu: the pod requests 2.5, this machine has 2;"
                + " insufficient memory: the pod requests 1024Mi, this machine has 64Mi;"
                + " insufficient nvidia.com/gpu: the pod requests 1, this machine has none.");
  }

  @Test
  void aPodThatFitsHasNoObstacle() {
    assertThat(
            requests(
                    """
                    {"containers": [{"resources": {"requests":
                      {"cpu": "2", "memory": "64Mi", "ephemeral-storage": "1Ti"}}}]}
                    """)
                .obstacle(MACHINE))
        .isNull();
  }

  private static ResourceAmount amount(String spec) {
    return requests(spec).amount();
  }

  private static PodRequests requests(String spec) {
    return PodRequests.of(KubeObject.of(Json.parse("{\"spec\": " + spec + "}")));
  }
}
