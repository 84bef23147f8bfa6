package dev.stint.runner;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReadinessGatesTest {
  private final SimulatedNode node = new SimulatedNode();

  @Test
  void aPodIsReadyOnceTheConditionsOfItsGatesAreTrue() {
    node.live();
    node.tell("main", SimulatedNode.FOR_EVER);
    node.add(
        "a",
        "{'readinessGates': [{'conditionType': 'x.io/one'}, {'conditionType': 'x.io/two'}],"
            + " 'containers': [{'name': 'main'}]}");
    node.advance(1);
    assertThat(node.condition("a", "ContainersReady")).isEqualTo("True");
    assertThat(node.condition("a", "Ready"))
        .isEqualTo(
            "False ReadinessGatesNotReady corresponding condition of pod readiness gate"
                + " \"x.io/one\" does not exist., corresponding condition of pod readiness gate"
                + " \"x.io/two\" does not exist.");

    node.cluster.setCondition("a", "x.io/one", "True");
    node.cluster.setCondition("a", "x.io/two", "False");
    node.advance(1);
    assertThat(node.condition("a", "Ready"))
        .isEqualTo(
            "False ReadinessGatesNotReady the status of pod readiness gate \"x.io/two\" is not"
                + " \"True\", but False");

    node.cluster.setCondition("a", "x.io/two", "True");
    node.advance(1);
    assertThat(node.condition("a", "Ready")).isEqualTo("True");
    assertThat(node.condition("a", "x.io/one")).isEqualTo("True");

    node.cluster.setCondition("a", "x.io/one", "Unknown");
    node.advance(1);
    assertThat(node.condition("a", "Ready")).startsWith("False ReadinessGatesNotReady");
  }

  @Test
  void unreadyContainersComeBeforeReadinessGates() {
    node.live();
    node.tell("main", SimulatedNode.FOR_EVER);
    node.answerWith(false);
    node.add(
        "a",
        "{'readinessGates': [{'conditionType': 'x.io/one'}], 'containers': [{'name': 'main',"
            + " 'readinessProbe': {'tcpSocket': {'port': 1}}}]}");
    node.advance(1);
    assertThat(node.condition("a", "Ready")).startsWith("False ContainersNotReady");
  }
}
