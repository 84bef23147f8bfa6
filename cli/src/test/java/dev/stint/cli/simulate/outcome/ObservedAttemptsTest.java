package dev.stint.cli.simulate.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cli.simulate.outcome.ObservedAttempts.ContainerEnd;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ObservedAttemptsTest {
  private static ContainerEnd end(
      String attempt, String container, int seconds, @Nullable Integer code) {
    return new ContainerEnd(1, attempt, container, Duration.ofSeconds(seconds), code);
  }

  @Test
  void containersThatRanTogetherAreOneAttempt() {
    ObservedAttempts found =
        ObservedAttempts.of(
            "a",
            List.of(end("p/0", "main", 5, 0), end("p/0", "beside", 9, 3), end("q/0", "main", 4, 0)),
            Set.of("main", "beside"));
    assertThat(found.attempts())
        .containsExactly(
            new ObservedAttempt(1, Duration.ofSeconds(9), 3),
            new ObservedAttempt(1, Duration.ofSeconds(4), 0));
  }

  @Test
  void initContainersAndSidecarsDoNotCount() {
    ObservedAttempts found =
        ObservedAttempts.of(
            "a", List.of(end("p/0", "init", 90, 0), end("p/0", "main", 5, 0)), Set.of("main"));
    assertThat(found.attempts()).containsExactly(new ObservedAttempt(1, Duration.ofSeconds(5), 0));
  }

  @Test
  void allContainersCountIfNoneIsKnown() {
    assertThat(ObservedAttempts.of("a", List.of(end("p/0", "", 5, 0)), Set.of("main")).attempts())
        .hasSize(1);
  }

  @Test
  void attemptsWithoutDurationOrExitCodeAreLeftOut() {
    ObservedAttempts found =
        ObservedAttempts.of(
            "a",
            List.of(
                end("p/0", "main", 5, null),
                new ContainerEnd(1, "q/0", "main", null, 0),
                end("r/0", "main", 5, 0)),
            Set.of("main"));
    assertThat(found.attempts()).hasSize(1);
    assertThat(found.leftOut()).isEqualTo(2);
  }
}
