package dev.stint.cli.simulate.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ModelCalibrationTest {
  private static ModelCalibration of(int good, int bad, int secondBad, int leftOut) {
    List<ObservedAttempt> attempts = new ArrayList<>();
    for (int i = 1; i <= good; i++) {
      attempts.add(new ObservedAttempt(1, Duration.ofSeconds(i), 0));
    }
    for (int i = 0; i < bad; i++) {
      attempts.add(new ObservedAttempt(1, Duration.ofSeconds(1), 1 + i % 2));
    }
    for (int i = 0; i < secondBad; i++) {
      attempts.add(new ObservedAttempt(2, Duration.ofSeconds(1), 1));
    }
    return new ModelCalibration(new ObservedAttempts("default/report", attempts, leftOut));
  }

  @Test
  void oneLineSaysWhatWasTaken() {
    assertThat(of(20, 0, 0, 0).line())
        .isEqualTo("Like default/report: 20 attempts, median 10s, p95 19s; none failed");
    assertThat(of(17, 3, 0, 2).line())
        .isEqualTo(
            "Like default/report: 20 attempts, median 7s, p95 16s; 15.0 % failed"
                + " (exit code 1: 2, 2: 1); 2 left out");
    assertThat(of(19, 1, 5, 0).line())
        .endsWith(
            "; 24.0 % failed (exit code 1: 6), 5.0 % of attempt 1, 100.0 % of attempt 2 and later");
  }

  @Test
  void fewAttemptsAreWarnedOf() {
    assertThat(of(5, 0, 0, 0).warning()).isEmpty();
    assertThat(of(1, 0, 0, 0).warning())
        .contains("warning: 1 attempt of default/report says little; the result may be far off");
    assertThat(of(4, 0, 0, 0).warning())
        .get()
        .asString()
        .contains("4 attempts of default/report say");
  }

  @Test
  void jsonHasTheSame() {
    assertThat(of(17, 3, 0, 2).json().toString())
        .isEqualTo(
            "{\"source\":\"default/report\",\"attempts\":20,\"leftOut\":2,"
                + "\"seconds\":{\"p50\":7.0,\"p95\":16.0},\"failureShare\":0.15,"
                + "\"exitCodes\":{\"1\":2,\"2\":1},\"failureShareByAttempt\":[0.15]}");
  }
}
