package dev.stint.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
      })
  void followsFromWhatTheContainersAskFor(String resources, String expected) {
    String container = "{'name': 'main', 'resources': %s}".formatted(resources);
    assertThat(QosClass.of(World.tree("{'spec': {'containers': [%s]}}".formatted(container))))
        .hasToString(expected);
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
