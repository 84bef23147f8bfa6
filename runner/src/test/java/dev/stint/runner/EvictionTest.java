package dev.stint.runner;

import static dev.stint.runner.SimulatedNode.FOR_EVER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EvictionTest {
  private static final String POD =
      """
      {'volumes': [{'name': 'v', 'emptyDir': %s}], 'containers': [{'name': 'main'}]}
      """;
  private static final String MESSAGE =
      "Usage of EmptyDir volume \"v\" exceeds the limit \"1Mi\". ";

  private final SimulatedNode node = new SimulatedNode();

  @Test
  void aPodWhoseVolumeGrowsTooLargeIsEvicted() {
    node.live();
    node.tell("main", FOR_EVER);
    node.add("a", POD.formatted("{'sizeLimit': '1Mi'}"));
    node.advance(21);
    assertThat(node.cluster.phase("a")).isEqualTo("Running");
    node.overuse = Optional.of(MESSAGE);
    node.advance(11);
    assertThat(node.cluster.phase("a")).isEqualTo("Failed");
    assertThat(Json.text(node.status("a"), "reason")).isEqualTo("Evicted");
    assertThat(Json.text(node.status("a"), "message")).isEqualTo(MESSAGE);
    assertThat(node.condition("a", "DisruptionTarget"))
        .isEqualTo(("True TerminationByKubelet " + MESSAGE).strip());
    assertThat(node.cluster.events()).contains("a Warning Evicted: " + MESSAGE + " x1");
  }

  @Test
  void volumesWithoutALimitAreNotMeasured() {
    node.live();
    node.tell("main", FOR_EVER);
    node.overuse = Optional.of(MESSAGE);
    node.add("a", POD.formatted("{}"));
    node.add("b", POD.formatted("{'sizeLimit': '1Mi', 'medium': 'Memory'}"));
    node.advance(30);
    assertThat(node.cluster.phase("a")).isEqualTo("Running");
    assertThat(node.cluster.phase("b")).isEqualTo("Running");
  }
}
