package dev.stint.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class TreeNodesTest {
  private final TreeNodes nodes = new TreeNodes();

  @Test
  void aDeepCopySharesNothing() {
    ObjectNode tree = nodes.objectNode();
    tree.putObject("metadata").put("name", "a").putArray("finalizers").add("f");
    ObjectNode copy = tree.deepCopy();
    assertThat(copy).isEqualTo(tree);
    copy.withObject("metadata").put("name", "b").withArray("finalizers").add("g");
    assertThat(tree).hasToString("{\"metadata\":{\"name\":\"a\",\"finalizers\":[\"f\"]}}");
    assertThat(copy).hasToString("{\"metadata\":{\"name\":\"b\",\"finalizers\":[\"f\",\"g\"]}}");
  }
}
