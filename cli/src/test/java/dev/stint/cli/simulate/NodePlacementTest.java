package dev.stint.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.runner.spec.ResourceAmount;
import org.junit.jupiter.api.Test;

class NodePlacementTest {
  private static final ResourceAmount FOUR_CORES = cores(4);
  private final NodePlacement<String> nodes = new NodePlacement<>(2, FOUR_CORES, 10);

  private static ResourceAmount cores(int cores) {
    return new ResourceAmount(cores * 1000L, 0);
  }

  private void enqueue(String pod, int cores) {
    nodes.enqueue(pod, cores(cores), 0);
  }

  @Test
  void podsAreSpreadAndNoPodIsSplitOverNodes() {
    enqueue("a", 3);
    enqueue("b", 3);
    enqueue("c", 2);
    assertThat(nodes.place()).containsExactly("a", "b");
    nodes.remove("a");
    assertThat(nodes.place()).containsExactly("c");
  }

  @Test
  void aPodThatDoesNotFitIsPassedOver() {
    enqueue("a", 3);
    enqueue("b", 3);
    enqueue("large", 4);
    enqueue("small", 1);
    assertThat(nodes.place()).containsExactly("a", "b", "small");
    nodes.remove("b");
    assertThat(nodes.place()).as("small is on the node of a or b").hasSizeLessThan(2);
    nodes.remove("a");
    nodes.remove("small");
    nodes.place();
    nodes.remove("large");
    assertThat(nodes.place()).isEmpty();
  }

  @Test
  void higherPrioritiesGoFirstThenTheFirstToCome() {
    nodes.enqueue("low", cores(4), 0);
    nodes.enqueue("later", cores(4), 0);
    nodes.enqueue("high", cores(4), 5);
    assertThat(nodes.place()).containsExactly("high", "low");
  }

  @Test
  void aNodeRunsSoManyPodsOnly() {
    NodePlacement<String> one = new NodePlacement<>(1, ResourceAmount.UNLIMITED, 2);
    for (String pod : new String[] {"a", "b", "c"}) {
      one.enqueue(pod, cores(1), 0);
    }
    assertThat(one.place()).containsExactly("a", "b");
    one.remove("b");
    assertThat(one.place()).containsExactly("c");
  }

  @Test
  void aPodIsKnownOnce() {
    enqueue("a", 4);
    enqueue("a", 4);
    assertThat(nodes.place()).containsExactly("a");
    enqueue("a", 4);
    assertThat(nodes.place()).isEmpty();
    enqueue("b", 4);
    enqueue("c", 4);
    nodes.remove("c");
    nodes.remove("unknown");
    assertThat(nodes.place()).containsExactly("b");
  }
}
