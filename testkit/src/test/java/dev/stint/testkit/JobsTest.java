package dev.stint.testkit;

import static dev.stint.testkit.JobAssert.assertThat;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.DeleteOptions;
import dev.stint.embedded.ControlPlane;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

@StintTest
class JobsTest {
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
    TestJob pi = jobs.apply(job("pi", "  completions: 3\n"));
    assertThat(pi).isComplete().hasSucceeded(3);
    assertThat(pi.pods()).hasSize(3);
    assertThat(jobs.job("another").pods()).isEmpty();
    assertThat(jobs.all()).extracting(TestJob::name).containsExactly("pi");
  }

  @Test
  void applyReturnsOnceEverythingThatNeedsNoTimeIsDone(Jobs jobs, PodScript pods) {
    pods.everyPod().neverEnds();
    assertThat(jobs.apply(job("watcher", "  parallelism: 2\n"))).hasActive(2).hasReady(2);
  }

  @Test
  void applyingAgainChangesTheObject(Jobs jobs) {
    TestJob held = jobs.apply(job("held", "  suspend: true\n"));
    assertThat(held).isSuspended().hasActive(0);
    assertThat(jobs.apply(job("held", "  suspend: false\n")).ref()).isEqualTo(held.ref());
    assertThat(held).isComplete();
  }

  @Test
  void severalDocumentsOfAnyKindAreAppliedInTheirOrder(Jobs jobs) {
    String text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n---\n" + job("b", "");
    assertThat(jobs.applyAll(text)).extracting(ObjectRef::name).containsExactly("c", "b");
    assertThat(jobs.list(Kind.CONFIG_MAP)).extracting(KubeObject::name).contains("c");
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> jobs.apply(text))
        .withMessage("expected one document, found 2; use applyAll for several");
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> jobs.apply("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n"))
        .withMessageContaining("expected a Job, found a ConfigMap");
  }

  @Test
  void invalidDocumentsAreRefusedWithLinesAndPaths(Jobs jobs) {
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> jobs.apply(job("typo", "  paralelism: 1\n")))
        .withMessageContaining("test:5: spec.paralelism: unknown field");
    assertThatExceptionOfType(ClusterException.class)
        .isThrownBy(() -> jobs.apply(job("negative", "  parallelism: -1\n")))
        .satisfies(refusal -> assertThat(refusal.reason()).isEqualTo(Reason.INVALID))
        .withMessageContaining("spec.parallelism");
  }

  @Test
  void aJobThatDoesNotFinishFailsTheTestWithItsState(Jobs jobs, PodScript pods) {
    pods.everyPod().neverEnds();
    TestJob endless = jobs.apply(job("endless", ""));
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> jobs.await(endless.ref(), "finished", job -> false, Duration.ofMillis(1)))
        .withMessageStartingWith("Job test-1/endless is not finished after 1 ms")
        .withMessageContaining("counts: active 1, ready 1, terminating 0, succeeded 0, failed 0")
        .withMessageContaining("conditions: none")
        .withMessageContaining("pods (1): " + endless.pods().getFirst().name() + " Running")
        .withMessageContaining("SuccessfulCreate");
  }

  @Test
  void aJobThatIsDeletedOrMissingFailsTheTest(Jobs jobs, PodScript pods, Cluster cluster) {
    pods.everyPod().neverEnds();
    KubeObject doomed = jobs.apply(job("doomed", "")).object();
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() ->
            jobs.await(
                doomed.ref(),
                "deleted",
                found -> {
                  cluster.delete(found.ref(), DeleteOptions.now(found.uid()));
                  return false;
                },
                Duration.ofSeconds(30)))
        .withMessageContaining("is not deleted: it was deleted");
    ObjectRef missing = new ObjectRef(Kind.JOB, "default", "missing");
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> jobs.await(missing, "there", job -> true, Duration.ofMillis(1)))
        .withMessageContaining("\"missing\" not found");
  }

  @Test
  void allParametersBelongToOneControlPlane(
      Jobs jobs,
      Cluster cluster,
      ControlPlane plane,
      TestClock clock,
      InstantSource source,
      TestNamespace namespace) {
    assertThat(cluster).isSameAs(plane.cluster()).isSameAs(jobs.cluster());
    assertThat(jobs.namespace()).isEqualTo(namespace.name()).isEqualTo(namespace.toString());
    clock.advance(5, SECONDS);
    assertThat(source.instant()).isEqualTo(clock.instant()).hasToString("2026-01-01T00:00:05Z");
  }

  @Test
  void failedAssertionsDescribeTheStateOfTheJob(Jobs jobs, PodScript pods) {
    pods.onIndex(1).exits(3);
    TestJob report =
        jobs.apply(
            job(
                "report",
                """
                  completionMode: Indexed
                  completions: 3
                  parallelism: 3
                  backoffLimitPerIndex: 0
                """));
    List<Runnable> wrong =
        List.of(
            () -> assertThat(report).isComplete(),
            () -> assertThat(report).isNotFinished(),
            () -> assertThat(report).failedWithReason("BackoffLimitExceeded"),
            () -> assertThat(report).hasCompletedIndexes("0-2"),
            () -> assertThat(report).hasFailedIndexes(""),
            () -> assertThat(report).hasFailed(2),
            () -> assertThat(report).hasEvent("Unheard"));
    assertThat(wrong)
        .allSatisfy(claim ->
            assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(claim::run)
                .withMessageStartingWith("Expected ")
                .withMessageContaining("Job test-1/report")
                .withMessageContaining("indexes: completed 0,2; failed 1")
                .withMessageContaining("Failed (FailedIndexes: Job has failed indexes)")
                .withMessageContaining("Failed (exit code 3)"));
    assertThat(report).isFailed().hasCompletedIndexes("0,2").hasFailedIndexes("1").hasFailed(1);
  }
}
