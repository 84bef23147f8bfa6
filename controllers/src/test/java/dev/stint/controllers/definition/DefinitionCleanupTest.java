package dev.stint.controllers.definition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.harness.ListedInParts;
import dev.stint.harness.TestWorld;
import dev.stint.model.Kind;
import dev.stint.model.ObjectRef;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DefinitionCleanupTest {
  private static final Kind WIDGET = new Kind("example.com", "v1", "Widget", "widgets", true);
  private static final ObjectRef WIDGETS =
      new ObjectRef(Kind.CUSTOM_RESOURCE_DEFINITION, "", "widgets.example.com");
  private static final String DEFINITION =
      """
      'spec': {'group': 'example.com', 'scope': 'Namespaced',
        'names': {'plural': 'widgets', 'kind': 'Widget'},
        'versions': [{'name': 'v1', 'served': true, 'storage': true}]},
      'status': {'conditions': [{'type': 'Established', 'status': 'True'}]}
      """;

  private final TestWorld world = new TestWorld();
  private final List<Integer> left = new ArrayList<>();

  private int widgets() {
    return world.api.peekAll(WIDGET).size();
  }

  /** The objects may not fit into memory together: each part goes before the next is read. */
  @Test
  void theObjectsAreReadAndDeletedInParts() {
    world.api.define(WIDGET);
    world.add(WIDGETS, "'finalizers': ['customresourcecleanup.apiextensions.k8s.io']", DEFINITION);
    for (String name : List.of("a", "b", "c")) {
      world.add(new ObjectRef(WIDGET, "default", name), "");
    }
    new DefinitionCleanup(
            new ListedInParts(world.api, () -> left.add(widgets())), world.eventLoop, Metrics.NONE)
        .start();
    world.settle();
    assertThat(widgets()).isEqualTo(3);
    left.clear(); // The list of the definitions has been read in parts too.

    world.api.remove(WIDGETS, Propagation.BACKGROUND);
    world.pass(Duration.ofSeconds(1));
    assertThat(left).containsExactly(3, 2, 1);
    assertThat(world.exists(WIDGETS)).isFalse();
  }
}
