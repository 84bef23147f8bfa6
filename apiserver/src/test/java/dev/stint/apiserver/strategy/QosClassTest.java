package dev.stint.apiserver.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.World;
import dev.stint.model.pod.PodDefaults;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

class QosClassTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{} | BestEffort",
        "{'requests': {'cpu': '1'}} | Burstable",
        "{'limits': {'memory': '1Gi'}} | Burstable",
        "{'limits': {'cpu': '1', 'memory': '1Gi'}} | Guaranteed",
        "{'limits': {'cpu': '1', 'memory': '1Gi'}, 'requests': {'cpu': '500m', 'memory': '1Gi'}} |"
            + " Burstable",
        "{'limits': {'cpu': '1', 'memory': '1Gi'}, 'requests': {'cpu': '1000m', 'memory': '1024Mi'}} |"
            + " Guaranteed",
        "{'limits': {'ephemeral-storage': '1Gi'}} | BestEffort",
        "{'limits': {'cpu': '0', 'memory': '0'}} | BestEffort",
        "{'limits': {'cpu': '0', 'memory': '1Gi'}} | Burstable",
      })
  void followsFromWhatTheContainersAskFor(String resources, String expected) {
    String container = "{'name': 'main', 'resources': %s}".formatted(resources);
    ObjectNode pod = World.tree("{'spec': {'containers': [%s]}}".formatted(container));
    PodDefaults.applyToPod(pod);
    assertThat(QosClass.of(pod)).hasToString(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{} | BestEffort",
        "{'requests': {'cpu': '0'}} | BestEffort",
        "{'requests': {'cpu': '1'}} | Burstable",
        "{'limits': {'cpu': '1'}} | Burstable",
        "{'limits': {'cpu': '1', 'memory': '1Gi'}} | Guaranteed",
        "{'limits': {'cpu': '1', 'memory': '1Gi'}, 'requests': {'cpu': '500m'}} | Burstable",
      })
  void aPodsOwnResourcesGoBeforeThoseOfItsContainers(String resources, String expected) {
    ObjectNode pod =
        World.tree(
            "{'spec': {'resources': %s, 'containers': [{'resources': {'limits': {'cpu': '1'}}}]}}"
                .formatted(resources));
    PodDefaults.applyToPod(pod);
    assertThat(QosClass.of(pod)).hasToString(expected);
  }

  @ParameterizedTest
  @CsvSource({"initContainers", "containers"})
  void oneContainerThatAsksForNothingMakesItBurstable(String member) {
    String full = "{'resources': {'limits': {'cpu': '1', 'memory': '1Gi'}}}";
    String other = member.equals("containers") ? "initContainers" : "containers";
    String pod = "{'spec': {'%s': [%s], '%s': [{}]}}".formatted(other, full, member);
    assertThat(QosClass.of(World.tree(pod))).isEqualTo(QosClass.BURSTABLE);
  }
}
