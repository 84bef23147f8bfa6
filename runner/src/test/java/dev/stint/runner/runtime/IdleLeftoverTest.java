package dev.stint.runner.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class IdleLeftoverTest {
  private final IdleLeftover left = new IdleLeftover(Set.of("ended"), Set.of("lost"));

  @Test
  void itIsOverOnceAllContainersHaveAnOutcome() {
    assertThat(left.isOver(List.of("ended"), true)).isTrue();
    assertThat(left.isOver(List.of("ended", "interrupted"), false)).isFalse();
  }

  @Test
  void aLostContainerHasAnOutcomeUnlessItIsRunAgain() {
    assertThat(left.isOver(List.of("ended", "lost"), false)).isTrue();
    assertThat(left.isOver(List.of("ended", "lost"), true)).isFalse();
  }
}
