package dev.stint.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.DeleteOptions;
import dev.stint.embedded.ControlPlane;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.job.JobStatus;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

@StintTest
class JobsTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  static final String TEMPLATE =
      """
        template:
          spec:
            restartPolicy: Never
            containers:
            - name: main
              image: none
      """;

  static String job(String name, String fields) {
    return "apiVersion: batch/v1\nkind: Job\nmetadata: {name: %s}\nspec:\n".formatted(name)
        + fields
        + TEMPLATE;
  }

  @Test
  void aJobSucceedsUnlessTheTestSaysOtherwise(Jobs jobs) {
    KubeObject finished = jobs.await(jobs.apply(job("pi", "  completions: 3\n")));
    assertThat(JobStatus.read(finished.status()).isTrue("Complete")).isTrue();
    assertThat(jobs.job("pi").uid()).isEqualTo(finished.uid());
    assertThat(jobs.pods("pi")).hasSize(3);
    assertThat(jobs.pods("another")).isEmpty();
  }

  @Test
  void failedPodsAreReplacedUntilTheBackoffLimit(Jobs jobs) {
    jobs.play(Scripts.exit(7));
    JobStatus status =
        JobStatus.read(jobs.await(jobs.apply(job("bad", "  backoffLimit: 2\n"))).status());
    assertThat(status.condition("Failed"))
        .hasValueSatisfying(
            failed -> assertThat(failed.reason()).isEqualTo("BackoffLimitExceeded"));
    assertThat(status.failed()).isEqualTo(3);
  }

  @Test
  void theScriptMayChangeBetweenPods(Jobs jobs) {
    jobs.play(Scripts.run());
    ObjectRef first = jobs.apply(job("first", ""));
    jobs.await(
        first, "ready", job -> Objects.equals(JobStatus.read(job.status()).ready(), 1), SOON);
    jobs.play(Scripts.succeed());
    jobs.await(jobs.apply(job("second", "")));
    assertThat(JobStatus.read(jobs.job("first").status()).finished()).isFalse();
  }

  @Test
  void applyingAgainChangesTheObject(Jobs jobs) {
    ObjectRef ref = jobs.apply(job("held", "  suspend: true\n"));
    jobs.await(ref, "suspended", job -> JobStatus.read(job.status()).isTrue("Suspended"), SOON);
    assertThat(jobs.apply(job("held", "  suspend: false\n"))).isEqualTo(ref);
    assertThat(JobStatus.read(jobs.await(ref).status()).isTrue("Complete")).isTrue();
  }

  @Test
  void severalDocumentsAreAppliedInTheirOrder(Jobs jobs) {
    String text = job("a", "") + "---\n" + job("b", "");
    List<ObjectRef> refs = jobs.applyAll(text);
    assertThat(refs).extracting(ObjectRef::name).containsExactly("a", "b");
    refs.forEach(jobs::await);
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> jobs.apply(text))
        .withMessage("2 documents found where one is wanted; use applyAll for several");
  }

  @Test
  void documentsAtFaultAreRefusedWithLinesAndPaths(Jobs jobs) {
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> jobs.apply(job("typo", "  paralelism: 1\n")))
        .withMessageContaining("test:5: spec.paralelism: unknown field");
    assertThatExceptionOfType(ClusterException.class)
        .isThrownBy(() -> jobs.apply(job("negative", "  parallelism: -1\n")))
        .satisfies(refusal -> assertThat(refusal.reason()).isEqualTo(Reason.INVALID))
        .withMessageContaining("spec.parallelism");
  }

  @Test
  void aJobThatDoesNotFinishFailsTheTestWithItsState(Jobs jobs) {
    jobs.play(Scripts.run());
    ObjectRef ref = jobs.apply(job("endless", ""));
    jobs.await(ref, "ready", JobsTest::isReady, SOON);
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> jobs.await(ref, Duration.ofMillis(1)))
        .withMessageStartingWith("Job default/endless is not finished after 1 ms")
        .withMessageContaining("counts: active 1, ready 1, terminating 0, succeeded 0, failed 0")
        .withMessageContaining("conditions: none")
        .withMessageContaining("pods (1): " + jobs.pods(ref).getFirst().name() + " Running")
        .withMessageContaining("SuccessfulCreate");
  }

  @Test
  void aJobThatIsDeletedOrMissingFailsTheTest(Jobs jobs, Cluster cluster) {
    jobs.play(Scripts.run());
    KubeObject job = jobs.job(jobs.apply(job("doomed", "")).name());
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() ->
            jobs.await(
                job.ref(),
                "deleted",
                found -> {
                  cluster.delete(found.ref(), DeleteOptions.now(found.uid()));
                  return false;
                },
                SOON))
        .withMessageContaining("is not deleted: it was deleted");
    ObjectRef missing = new ObjectRef(Kind.JOB, "default", "missing");
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> jobs.await(missing, Duration.ofMillis(1)))
        .withMessageContaining("\"missing\" not found");
  }

  @Test
  void allParametersAreOfOneControlPlane(Jobs jobs, Cluster cluster, ControlPlane plane) {
    assertThat(cluster).isSameAs(plane.cluster()).isSameAs(jobs.cluster());
  }

  private static boolean isReady(KubeObject job) {
    Integer ready = Json.integer(job.status(), "ready");
    return ready != null && ready == 1;
  }
}
