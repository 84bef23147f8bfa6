package dev.stint.model.pod;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class PodPhaseTest {
  @Test
  void aPodIsOverOnceItHasSucceededOrFailed() {
    assertThat(Arrays.asList("Pending", "Running", "Unknown", "", null))
        .noneMatch(PodPhase::isTerminal);
    assertThat(Arrays.asList("Succeeded", "Failed")).allMatch(PodPhase::isTerminal);
  }
}
