package dev.stint.runner.spec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import org.junit.jupiter.api.Test;

class TolerationsTest {
  private static Tolerations of(String spec) {
    return Tolerations.of(
        KubeObject.of(Json.parse(("{'spec': {" + spec + "}}").replace('\'', '"'))));
  }

  @Test
  void aPodWithoutTolerationsToleratesNothing() {
    assertThat(of("")).isEqualTo(Tolerations.NONE);
    assertThat(of("").tolerate("gpu", "", "NoSchedule")).isFalse();
  }

  @Test
  void oneOfThemMustHaveTheKeyTheValueAndTheEffect() {
    Tolerations two =
        of(
            "'tolerations': [{'key': 'a', 'operator': 'Exists', 'effect': 'NoExecute'},"
                + " {'key': 'b', 'value': 'c'}]");
    assertThat(two.tolerate("a", "any", "NoExecute")).isTrue();
    assertThat(two.tolerate("a", "any", "NoSchedule")).isFalse();
    assertThat(two.tolerate("b", "c", "NoSchedule")).isTrue();
    assertThat(two.tolerate("b", "", "NoSchedule")).isFalse();
  }

  @Test
  void allTaintsAreToleratedByExistsWithoutAKey() {
    assertThat(of("'tolerations': [{'operator': 'Exists'}]").tolerate("a", "b", "NoSchedule"))
        .isTrue();
    assertThat(of("'tolerations': [{'operator': 'Equal'}]").tolerate("a", "", "NoSchedule"))
        .isFalse();
  }
}
