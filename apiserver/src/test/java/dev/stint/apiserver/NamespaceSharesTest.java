package dev.stint.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class NamespaceSharesTest {
  /** Returns the namespaces that may grow, of these and a new one. */
  private static Stream<String> growing(Map<String, Long> bytes) {
    NamespaceShares.Shares shares = new NamespaceShares.Shares(1, bytes.size(), bytes);
    return Stream.concat(bytes.keySet().stream(), Stream.of("new")).filter(shares::mayGrow);
  }

  /** A server has some namespaces of its own, which hold next to nothing. */
  @Test
  void equalNamespacesGoOnTogether() {
    assertThat(growing(Map.of("a", 100L, "b", 100L, "c", 100L, "kube-system", 1L)))
        .containsExactlyInAnyOrder("a", "b", "c", "kube-system", "new");
    assertThat(growing(Map.of("a", 101L, "b", 100L, "c", 99L)))
        .containsExactlyInAnyOrder("b", "c", "new");
  }

  @Test
  void aNamespaceThatFillsTheMemoryLeavesTheRestToAllOthers() {
    assertThat(growing(Map.of("greedy", 100L, "a", 49L, "kube-system", 1L)))
        .containsExactlyInAnyOrder("a", "kube-system", "new");
    assertThat(growing(Map.of("greedy", 100L, "a", 60L))).containsExactlyInAnyOrder("a", "new");
    assertThat(growing(Map.of("greedy", 100L))).containsExactly("new");
  }
}
