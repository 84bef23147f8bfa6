package dev.stint.runner.policy;

import static dev.stint.runner.policy.ProbeTally.ProbeResult.FAILED;
import static dev.stint.runner.policy.ProbeTally.ProbeResult.PASSED;
import static dev.stint.runner.policy.ProbeTally.ProbeResult.UNDECIDED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.runner.policy.ProbeTally.ProbeResult;
import dev.stint.runner.spec.Handler;
import dev.stint.runner.spec.ProbeSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ProbeTallyTest {
  @Test
  void aVerdictTakesAsManyResultsInARowAsItsThreshold() {
    assertThat(verdicts(2, 3, "++-++--+---"))
        .containsExactly(
            UNDECIDED, PASSED, UNDECIDED, UNDECIDED, PASSED, UNDECIDED, UNDECIDED, UNDECIDED,
            UNDECIDED, UNDECIDED, FAILED);
  }

  @Test
  void withThresholdsOfOneEveryResultDecides() {
    assertThat(verdicts(1, 1, "+-+")).containsExactly(PASSED, FAILED, PASSED);
  }

  @Test
  void aProbeHasTheDefaultsOfKubernetes() {
    ProbeSpec probe = spec("{\"exec\": {\"command\": [\"a\"]}}");
    assertThat(probe)
        .isEqualTo(
            new ProbeSpec(
                new Handler.Exec(List.of("a")),
                Duration.ZERO,
                Duration.ofSeconds(10),
                Duration.ofSeconds(1),
                1,
                3,
                null));
  }

  private static List<ProbeResult> verdicts(int success, int failure, String results) {
    ProbeSpec spec =
        spec(
            "{\"tcpSocket\": {\"port\": 1}, \"successThreshold\": %d, \"failureThreshold\": %d}"
                .formatted(success, failure));
    List<ProbeResult> verdicts = new ArrayList<>();
    ProbeTally tally = ProbeTally.EMPTY;
    for (int i = 0; i < results.length(); i++) {
      tally = tally.after(results.charAt(i) == '+');
      verdicts.add(tally.verdict(spec));
    }
    return verdicts;
  }

  private static ProbeSpec spec(String probe) {
    return Objects.requireNonNull(
        ProbeSpec.of(Json.parse("{\"livenessProbe\": " + probe + "}"), "livenessProbe"));
  }
}
