package dev.stint.engine.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BackoffLimitTest {
  private static PolicyInput job(int limit, String restartPolicy, int failed, int restarts) {
    PolicyInput job =
        PolicyInputs.of(
            "{'backoffLimit':"
                + limit
                + ",'template':{'spec':{'restartPolicy':'"
                + restartPolicy
                + "'}}}");
    return PolicyInputs.pods(job, 1, 0, failed, restarts);
  }

  @Test
  void asManyFailuresAsTheLimitAreRetried() {
    assertThat(BackoffLimit.evaluate(job(2, "Never", 2, 0))).isEmpty();
  }

  @Test
  void oneFailureMoreFailsTheJob() {
    assertThat(BackoffLimit.evaluate(job(2, "Never", 3, 0)))
        .hasValueSatisfying(
            verdict -> assertThat(verdict.reason()).isEqualTo("BackoffLimitExceeded"));
  }

  @Test
  void withOnFailureRestartsInPodsCountToo() {
    assertThat(BackoffLimit.evaluate(job(3, "OnFailure", 0, 2))).isEmpty();
    assertThat(BackoffLimit.evaluate(job(3, "OnFailure", 0, 3))).isPresent();
    assertThat(BackoffLimit.evaluate(job(0, "OnFailure", 0, 0))).isEmpty();
    assertThat(BackoffLimit.evaluate(job(0, "OnFailure", 0, 1))).isPresent();
  }

  @Test
  void withNeverRestartsDoNotCount() {
    assertThat(BackoffLimit.evaluate(job(0, "Never", 0, 5))).isEmpty();
  }
}
