package dev.stint.model.pod;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EnvironmentWarningsTest {
  @Test
  void aVariableHidesItsNamesakeUnlessItContainsIt() {
    assertThat(
            PodTemplates.containerWarnings(
                "env:",
                "- {name: A, value: a}",
                "- {name: A, value: other}",
                "- {name: A, value: $(A)}",
                "- {name: A, value: $(A):more}",
                "- {name: B, value: $(A)}",
                "- {name: A, valueFrom: {fieldRef: {fieldPath: metadata.name}}}"))
        .containsExactly(hides(1), hides(2), hides(5));
  }

  @Test
  void namesAreFoundWhereTheyOverlapWithThemselves() {
    assertThat(
            PodTemplates.containerWarnings(
                "env:",
                "- {name: 'A$(A', value: a}",
                "- {name: 'A$(A', value: '$(A$(A$(A)'}",
                "- {name: 'A$(A', value: '$(A$(A$(B)'}"))
        .singleElement()
        .asString()
        .startsWith("spec.containers[0].env[2]: hides");
  }

  /** Any client may send them, so the time must not grow with the product of both lengths. */
  @Test
  void longNamesAreLookedForInLongValues() {
    String name = "$(".repeat(200_000);
    assertThat(
            PodTemplates.containerWarnings(
                "env:",
                "- {name: '" + name + "', value: a}",
                "- {name: '" + name + "', value: '" + name.repeat(3) + "'}"))
        .hasSize(1);
  }

  private static String hides(int index) {
    return "spec.containers[0].env["
        + index
        + "]: hides previous definition of \"A\", which may be dropped when using apply";
  }
}
