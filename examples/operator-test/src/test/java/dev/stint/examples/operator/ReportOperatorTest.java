package dev.stint.examples.operator;

import static dev.stint.testkit.JobAssert.assertThat;
import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.ClusterException.Reason;
import dev.stint.testkit.ApiFaults;
import dev.stint.testkit.Jobs;
import dev.stint.testkit.PodScript;
import dev.stint.testkit.StintTest;
import dev.stint.testkit.TestClock;
import dev.stint.testkit.TestJob;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each test has its own Kubernetes API with real controllers, and a running operator. */
@StintTest
class ReportOperatorTest {
  private final KubernetesClient client;
  private final Jobs jobs;
  private final ReportOperator operator;

  ReportOperatorTest(KubernetesClient client, Jobs jobs) {
    this.client = client;
    this.jobs = jobs;
    this.operator = new ReportOperator(client);
  }

  @BeforeEach
  void start() {
    operator.start();
  }

  @AfterEach
  void stop() {
    operator.close();
  }

  /** Pods take ten minutes of simulated time; the test does not wait. */
  @Test
  void aReportIsReadyWhenAllItsChaptersAre(PodScript pods, TestClock clock) {
    pods.everyPod().runsFor(10, MINUTES);
    create("annual", 3);
    assertThat(jobOf("annual")).hasActive(3).hasReady(3);
    becomes("annual", "writing");

    clock.advance(10, MINUTES);

    assertThat(jobOf("annual")).isComplete();
    becomes("annual", "ready");
  }

  /** The back-off before a chapter's second attempt passes in simulated time. */
  @Test
  void aReportFailsWithTheChaptersThatFailedTwice(PodScript pods) {
    pods.onIndex(0).firstAttempt().exits(42);
    pods.onIndex(2).exits(1);
    create("annual", 4);

    assertThat(jobOf("annual").awaitFinished())
        .failedWithReason("FailedIndexes")
        .hasCompletedIndexes("0-1,3")
        .hasFailedIndexes("2");
    ConfigMap failed = becomes("annual", "failed");
    assertThat(failed.getData()).containsEntry("failedChapters", "2");
  }

  /** The garbage collector deletes the Job; a mock of the API would not. */
  @Test
  void aDeletedReportDeletesItsJob(PodScript pods, TestClock clock) {
    pods.everyPod().neverEnds();
    create("annual", 2);
    assertThat(jobOf("annual")).hasActive(2);

    client.configMaps().withName("annual").delete();

    client.batch().v1().jobs().withName("annual").waitUntilCondition(Objects::isNull, 60, SECONDS);
    clock.advance(1, MINUTES); // The controller confirms that the Job is gone before it frees pods.
    assertThat(jobs.job("annual").pods()).isEmpty();
  }

  @Test
  void conflictsOnTheReportAreRetried(ApiFaults faults) {
    faults.next(3).updates().of("configmaps").conflict();
    create("annual", 1);
    becomes("annual", "ready");
  }

  @Test
  void failedAndLostCreationsOfTheJobAreRetried(ApiFaults faults) {
    faults.next(1).creates().of("jobs").fail(Reason.INTERNAL);
    faults.next(1).creates().of("jobs").loseAnswer();
    create("annual", 1);
    becomes("annual", "ready");
  }

  /**
   * The operator misses nothing while its watches are broken. The test's own watches have a name.
   */
  @Test
  void changesDuringBrokenWatchesAreNotMissed(PodScript pods, ApiFaults faults, TestClock clock) {
    pods.everyPod().runsFor(10, MINUTES);
    create("annual", 1);
    assertThat(jobOf("annual")).hasActive(1);
    becomes("annual", "writing");

    faults.next(2).watches().matching(watch -> watch.name().isEmpty()).fail(Reason.GONE);
    faults.dropWatches();
    clock.advance(10, MINUTES);

    becomes("annual", "ready");
  }

  private void create(String name, int chapters) {
    client
        .resource(
            new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .addToLabels(ReportOperator.LABEL, "")
                .endMetadata()
                .addToData("chapters", Integer.toString(chapters))
                .build())
        .create();
  }

  /** Waits, in real time, until the operator has created the Job. */
  private TestJob jobOf(String report) {
    return jobs.job(report).await("there", status -> true);
  }

  private ConfigMap becomes(String report, String state) {
    return client
        .configMaps()
        .withName(report)
        .waitUntilCondition(
            found -> found != null && state.equals(found.getData().get("state")), 60, SECONDS);
  }
}
