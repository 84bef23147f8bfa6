package dev.stint.runner;

import static dev.stint.runner.SimulatedNode.outcome;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.runner.spec.ResourceAmount;
import org.junit.jupiter.api.Test;

class RoomTest {
  private final SimulatedNode node = new SimulatedNode();

  @Test
  void podsShareTheMachineByTheirRequests() {
    node.live(new ResourceAmount(2000, 0));
    add("a", 0, "1500m");
    add("b", 0, "1");
    add("c", 0, "500m");
    add("d", 9, "500m");
    node.advance(5);
    assertThat(node.played).containsExactly("a", "d");
    node.advance(10);
    assertThat(node.played).containsExactly("a", "d", "b", "c");
    node.advance(10);
    assertThat(node.cluster.phase("c")).isEqualTo("Succeeded");
  }

  @Test
  void aPodThatNeverFitsStaysPendingAndBlocksNoOther() {
    Runner first = node.live(new ResourceAmount(2000, 0));
    add("a", 0, "4");
    add("b", 0, "1");
    node.advance(20);
    assertThat(node.cluster.phase("a")).isEqualTo("Pending");
    assertThat(node.condition("a", "PodScheduled"))
        .isEqualTo(
            "False Unschedulable 0/1 nodes are available: insufficient cpu: the pod requests 4,"
                + " this machine has 2.");
    assertThat(node.cluster.phase("b")).isEqualTo("Succeeded");
    first.close();
    node.live(new ResourceAmount(2000, 0));
    node.advance(5);
    assertThat(node.cluster.statusWrites("a")).hasSize(1);
    node.live(new ResourceAmount(4000, 0));
    node.advance(20);
    assertThat(node.cluster.phase("a")).isEqualTo("Succeeded");
    assertThat(node.condition("a", "PodScheduled")).isEqualTo("True");
  }

  @Test
  void aLongWaitForRoomIsReported() {
    node.live(new ResourceAmount(1000, 0));
    node.tell("main", SimulatedNode.FOR_EVER);
    String pod = "{'containers': [{'name': 'main', 'resources': {'requests': {'cpu': '600m'}}}]}";
    node.add("a", pod);
    node.add("b", pod);
    node.advance(299);
    assertThat(node.condition("b", "PodScheduled")).isEmpty();
    node.advance(2);
    assertThat(node.condition("b", "PodScheduled"))
        .isEqualTo(
            "False Unschedulable 0/1 nodes are available: the running pods leave too little cpu,"
                + " memory or devices for what this one requests.");
  }

  @Test
  void aPodThatNeverFitsGoesWhenItIsDeleted() {
    node.live(new ResourceAmount(2000, 0));
    add("a", 0, "4");
    node.cluster.requestDeletion("a", 30);
    node.advance(1);
    assertThat(node.cluster.find("a")).isNull();
  }

  private void add(String name, int priority, String cpu) {
    node.tell(name, outcome(10, 0));
    node.add(
        name,
        """
        {'restartPolicy': 'Never', 'priority': %d, 'containers': [{'name': '%s',
          'resources': {'requests': {'cpu': '%s'}}}]}
        """
            .formatted(priority, name, cpu));
  }
}
