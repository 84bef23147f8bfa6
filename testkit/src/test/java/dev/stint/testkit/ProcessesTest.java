package dev.stint.testkit;

import static dev.stint.testkit.JobAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import org.junit.jupiter.api.Test;

@StintTest(pods = StintTest.Pods.PROCESSES)
class ProcessesTest {
  @Test
  void podsAreProcessesThatRunTheirCommands(Jobs jobs, KubernetesClient client) {
    TestJob echo =
        jobs.apply(
            """
            apiVersion: batch/v1
            kind: Job
            metadata: {name: echo}
            spec:
              completionMode: Indexed
              completions: 2
              backoffLimitPerIndex: 1
              template:
                spec:
                  restartPolicy: Never
                  containers:
                  - name: main
                    image: none
                    command: [sh, -c, 'echo "index $JOB_COMPLETION_INDEX"; exit $JOB_COMPLETION_INDEX']
            """);
    assertThat(echo.awaitFinished()).failedWithReason("FailedIndexes").hasFailed(2);
    assertThat(client.pods().withLabel("job-name", "echo").list().getItems())
        .extracting(pod -> client.pods().resource(pod).getLog())
        .containsExactlyInAnyOrder("index 0\n", "index 1\n", "index 1\n");
  }
}
