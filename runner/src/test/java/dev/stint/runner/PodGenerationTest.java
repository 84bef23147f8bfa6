package dev.stint.runner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The generation of the pod that its status reports. */
class PodGenerationTest {
  private static final String POD = "{'restartPolicy': 'Never', 'containers': [{'name': 'main'}]}";

  private final SimulatedNode node = new SimulatedNode();

  @Test
  void statusAndConditionsFollowTheGenerationThoughNothingElseChanges() {
    node.live();
    node.tell("main", SimulatedNode.FOR_EVER);
    node.add("a", POD);
    node.cluster.update("a", "{}");
    node.advance(2);
    assertThat(observed()).containsOnly(1L).hasSize(6);
    int writes = node.cluster.statusWrites("a").size();
    node.cluster.update("a", "{'activeDeadlineSeconds': 1000}");
    node.advance(2);
    assertThat(observed()).containsOnly(2L).hasSize(6);
    assertThat(node.cluster.statusWrites("a")).hasSize(writes + 1);
  }

  @Test
  void theConditionOfAPodThatIsNotTakenCarriesItsGeneration() {
    node.cluster.setNode("{'unschedulable': true}");
    node.live();
    node.tell("main", SimulatedNode.FOR_EVER);
    ObjectNode pod = PodCluster.newPod("a");
    pod.withObjectProperty("metadata").put("generation", 3);
    node.cluster.put(pod);
    node.advance(1);
    JsonNode scheduled = node.status("a").path("conditions").path(0);
    assertThat(scheduled.path("type").asString("")).isEqualTo("PodScheduled");
    assertThat(scheduled.path("observedGeneration").asLong(0)).isEqualTo(3);
  }

  private List<Long> observed() {
    List<JsonNode> conditions =
        StreamSupport.stream(node.status("a").path("conditions").spliterator(), false).toList();
    List<Long> all =
        new ArrayList<>(
            conditions.stream().map(each -> each.path("observedGeneration").asLong(0)).toList());
    all.add(node.status("a").path("observedGeneration").asLong(0));
    return all;
  }
}
