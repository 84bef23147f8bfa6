package dev.stint.testkit;

import static dev.stint.testkit.JobAssert.assertThat;
import static java.util.concurrent.TimeUnit.SECONDS;

import org.junit.jupiter.api.Test;

/** The example of {@link StintTest}'s documentation. */
@StintTest
class ReportTest {
  @Test
  void aFailedIndexIsTriedAgainAfterItsBackOff(Jobs jobs, PodScript pods, TestClock clock) {
    pods.onIndex(3).firstAttempt().exits(42);
    TestJob report =
        jobs.apply(
            """
            apiVersion: batch/v1
            kind: Job
            metadata: {name: report}
            spec:
              completionMode: Indexed
              completions: 5
              parallelism: 5
              backoffLimitPerIndex: 1
              template:
                spec:
                  restartPolicy: Never
                  containers:
                  - name: main
                    image: report:1
            """);
    assertThat(report).isNotFinished().hasCompletedIndexes("0-2,4");
    clock.advance(10, SECONDS);
    assertThat(report).isComplete();
  }
}
