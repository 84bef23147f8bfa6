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

  private static String hides(int index) {
    return "spec.containers[0].env["
        + index
        + "]: hides previous definition of \"A\", which may be dropped when using apply";
  }
}
