package dev.stint.cli.simulate.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.runner.runtime.SimulatedRuntime.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class EmpiricalModelTest {
  private static Stream<ObservedAttempt> attempts(int count, int number, int seconds, int code) {
    return IntStream.range(0, count)
        .mapToObj(_ -> new ObservedAttempt(number, Duration.ofSeconds(seconds), code));
  }

  private static List<Outcome> draws(EmpiricalModel model, int attempt) {
    SplittableRandom random = new SplittableRandom(1);
    return IntStream.range(0, 1000).mapToObj(_ -> model.draw(attempt, random)).toList();
  }

  @Test
  void secondAttemptsAreLikeSecondAttempts() {
    EmpiricalModel model =
        EmpiricalModel.of(Stream.concat(attempts(9, 1, 30, 0), attempts(5, 2, 10, 3)).toList());
    assertThat(draws(model, 1)).containsOnly(new Outcome(Duration.ofSeconds(30), 0));
    assertThat(draws(model, 2)).containsOnly(new Outcome(Duration.ofSeconds(10), 3));
    assertThat(draws(model, 7)).containsOnly(new Outcome(Duration.ofSeconds(10), 3));
  }

  @Test
  void fewAttemptsOfANumberAreJoinedWithThoseBefore() {
    EmpiricalModel model =
        EmpiricalModel.of(Stream.concat(attempts(12, 1, 30, 0), attempts(4, 2, 10, 3)).toList());
    assertThat(model.byNumber()).hasSize(1);
    assertThat(draws(model, 1).stream().filter(each -> each.exitCode() == 3).count())
        .isBetween(200L, 300L);
  }

  @Test
  void durationAndExitCodeStayTogether() {
    EmpiricalModel model =
        EmpiricalModel.of(Stream.concat(attempts(3, 1, 30, 0), attempts(3, 1, 1, 9)).toList());
    assertThat(draws(model, 1))
        .containsOnly(
            new Outcome(Duration.ofSeconds(30), 0), new Outcome(Duration.ofSeconds(1), 9));
  }
}
