package dev.stint.runner;

import static dev.stint.runner.SimulatedNode.FOR_EVER;
import static dev.stint.runner.SimulatedNode.outcome;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CordonTest {
  private static final String POD = "{'containers': [{'name': 'main'}]}";
  private static final String CORDONED = "{'unschedulable': true}";
  private static final String WHY =
      "False Unschedulable 0/1 nodes are available: 1 node(s) were unschedulable.";

  private final SimulatedNode node = new SimulatedNode();

  @Test
  void aCordonedNodeTakesNoNewPodsAndKeepsRunningOnes() {
    node.live();
    node.tell("main", FOR_EVER);
    node.add("before", POD);
    node.advance(1);
    node.cluster.setNode(CORDONED);
    node.run();
    node.tell("main", outcome(5, 0));
    node.add("after", POD);
    node.advance(10);
    assertThat(node.cluster.phase("before")).isEqualTo("Running");
    assertThat(node.condition("after", "PodScheduled")).isEqualTo(WHY);
    assertThat(node.played).hasSize(1);
    assertThat(node.cluster.events()).hasSize(1).first().asString().contains("FailedScheduling");
    node.cluster.setNode("{}");
    node.advance(10);
    assertThat(node.cluster.phase("after")).isEqualTo("Succeeded");
    assertThat(node.condition("after", "PodScheduled")).isEqualTo("True");
  }

  @Test
  void aCordonedNodeTakesNoPodsAfterARestart() {
    node.cluster.setNode(CORDONED);
    node.add("a", POD);
    node.live();
    node.advance(5);
    assertThat(node.condition("a", "PodScheduled")).isEqualTo(WHY);
    assertThat(node.played).isEmpty();
  }

  @Test
  void aPodThatIsKeptOutGoesWhenItIsDeleted() {
    node.cluster.setNode(CORDONED);
    node.live();
    node.add("a", POD);
    node.cluster.requestDeletion("a", 30);
    node.advance(1);
    assertThat(node.cluster.find("a")).isNull();
  }

  @Test
  void aPodThatToleratesTheTaintOvertakesOneThatDoesNot() {
    node.cluster.setNode(
        "{'taints': [{'key': 'gpu', 'value': 'yes', 'effect': 'NoSchedule'},"
            + " {'key': 'slow', 'effect': 'PreferNoSchedule'}]}");
    node.live();
    node.tell("main", outcome(1, 0));
    node.add("a", POD);
    String tolerating = "{'tolerations': [%s], 'containers': [{'name': 'main'}]}";
    node.add("b", tolerating.formatted("{'key': 'gpu', 'operator': 'Equal', 'value': 'yes'}"));
    node.add("c", tolerating.formatted("{'operator': 'Exists', 'effect': 'NoSchedule'}"));
    node.add("d", tolerating.formatted("{'key': 'gpu', 'value': 'no'}"));
    node.add("e", tolerating.formatted("{'key': 'gpu', 'value': 'yes', 'effect': 'NoExecute'}"));
    node.advance(10);
    assertThat(node.cluster.phase("b")).isEqualTo("Succeeded");
    assertThat(node.cluster.phase("c")).isEqualTo("Succeeded");
    for (String kept : new String[] {"a", "d", "e"}) {
      assertThat(node.condition(kept, "PodScheduled"))
          .endsWith("1 node(s) had untolerated taint {gpu: yes}.");
    }
  }
}
