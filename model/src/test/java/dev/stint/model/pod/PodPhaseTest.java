package dev.stint.model.pod;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class PodPhaseTest {
  @Test
  void aPodHasEndedOnceItSucceededOrFailed() {
    assertThat(Arrays.stream(PodPhase.values()).filter(PodPhase::isTerminal))
        .containsExactly(PodPhase.Succeeded, PodPhase.Failed);
  }

  @Test
  void eachPhaseHasItsName() {
    assertThat(PodPhase.values()).allMatch(phase -> PodPhase.of(phase.name()) == phase);
  }

  @Test
  void aPodWithoutAPhaseIsPendingAndOneWithAnUnknownNameUnknown() {
    assertThat(PodPhase.of((String) null)).isEqualTo(PodPhase.Pending);
    assertThat(PodPhase.of("Sleeping")).isEqualTo(PodPhase.Unknown);
  }
}
