package dev.stint.controllers.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.PodBuilder;
import dev.stint.model.KubeObject;
import org.junit.jupiter.api.Test;

class ByNamespaceTest {
  private final ByNamespace<String> values = new ByNamespace<>();

  private static KubeObject pod(String namespace, String name) {
    return PodBuilder.named(name).uid(name).metadata("'namespace':'" + namespace + "'").build();
  }

  @Test
  void aValueIsFoundInItsNamespaceUntilItIsRemoved() {
    values.put(pod("one", "a"), "A");
    values.put(pod("one", "b"), "B");
    values.put(pod("two", "c"), "C");
    values.put(pod("one", "a"), "newer");
    assertThat(values.in("one")).containsExactlyInAnyOrder("newer", "B");
    values.remove(pod("one", "a"));
    assertThat(values.in("one")).containsExactly("B");
    values.remove(pod("two", "c"));
    values.remove(pod("two", "c"));
    assertThat(values.in("two")).isEmpty();
  }
}
