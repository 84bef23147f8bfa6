package dev.stint.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.ObjectRef;
import dev.stint.model.job.JobStatus;
import org.junit.jupiter.api.Test;

/** The example of {@link StintTest}'s documentation. */
@StintTest
class ReportTest {
  @Test
  void oneFailedIndexDoesNotStopTheOthers(Jobs jobs) {
    jobs.play(Scripts.exitByIndex(index -> index == 2 ? 1 : 0));
    ObjectRef report =
        jobs.apply(
            """
            apiVersion: batch/v1
            kind: Job
            metadata:
              name: report
            spec:
              completionMode: Indexed
              completions: 4
              parallelism: 2
              backoffLimitPerIndex: 1
              template:
                spec:
                  restartPolicy: Never
                  containers:
                  - name: main
                    image: report:1
            """);
    JobStatus status = JobStatus.read(jobs.await(report).status());
    assertThat(status.isTrue("Failed")).isTrue();
    assertThat(status.completedIndexes()).hasToString("0,1,3");
    assertThat(status.failedIndexes()).hasToString("2");
  }
}
