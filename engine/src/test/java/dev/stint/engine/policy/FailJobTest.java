package dev.stint.engine.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FailJobTest {
  @Test
  void oneMatchingPodFailsTheJobWithItsMessage() {
    JobSituation none = Situations.of("{}");
    JobSituation matched =
        new JobSituation(
            none.spec(),
            none.options(),
            none.gates(),
            0,
            0,
            1,
            0,
            none.completedIndexes(),
            none.failedIndexes(),
            "Pod default/p failed",
            none.startTime(),
            none.now());
    assertThat(FailJob.evaluate(none)).isEmpty();
    assertThat(FailJob.evaluate(matched))
        .contains(new Verdict.Interim("FailureTarget", "PodFailurePolicy", "Pod default/p failed"));
  }
}
