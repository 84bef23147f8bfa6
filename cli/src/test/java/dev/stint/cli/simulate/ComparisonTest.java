package dev.stint.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComparisonTest {
  private static Distribution distribution(int complete, int failed, int seconds) {
    List<JobResult> results = new ArrayList<>();
    for (int i = 0; i < complete + failed; i++) {
      boolean good = i < complete;
      Duration makespan = Duration.ofSeconds(seconds + i);
      results.add(
          new JobResult(
              good,
              good ? "CompletionsReached" : "FailedIndexes",
              Duration.ZERO,
              makespan,
              10,
              0,
              makespan.multipliedBy(10),
              10,
              0,
              "",
              ""));
    }
    return Distribution.of(results);
  }

  private static final Comparison COMPARISON =
      new Comparison(
          "default/report",
          "as given",
          "parallelism=8",
          distribution(8, 2, 100),
          distribution(10, 0, 40));

  @Test
  void theTableHasBothAndTheDifference() {
    assertThat(COMPARISON.lines())
        .containsExactly(
            "                           as given  parallelism=8    difference",
            "Complete                     80.0 %        100.0 %         +20.0",
            "  CompletionsReached         80.0 %        100.0 %         +20.0",
            "  FailedIndexes              20.0 %          0.0 %         -20.0",
            "Makespan median               1m44s            44s           -1m",
            "Makespan p95                  1m49s            49s           -1m",
            "Pod time median              17m20s          7m20s          -10m",
            "Pod time p95                 18m10s          8m10s          -10m",
            "Attempts median                  10             10             0",
            "Attempts p95                     10             10             0");
  }

  @Test
  void jsonHasTheDifferenceOfTheMedians() {
    assertThat(COMPARISON.json().get("difference").toString())
        .startsWith("{\"completeShare\":0.")
        .endsWith("\"makespanSeconds\":-60.0,\"podSeconds\":-600.0,\"attempts\":0}");
  }
}
