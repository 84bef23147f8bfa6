package dev.stint.examples.operator;

import static dev.stint.testkit.JobAssert.assertThat;
import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stint.cluster.ClusterException.Reason;
import dev.stint.testkit.ApiFaults;
import dev.stint.testkit.Jobs;
import dev.stint.testkit.PodScript;
import dev.stint.testkit.StintTest;
import dev.stint.testkit.TestClock;
import dev.stint.testkit.TestJob;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Each test has its own Kubernetes API, which serves the operator's custom resource, with real
 * controllers; and a running operator.
 */
@StintTest(crds = "crds/*.yaml")
class ReportOperatorTest {
  private final KubernetesClient client;
  private final Jobs jobs;
  private final TestLibrary library = new TestLibrary();
  private final ReportOperator operator;

  ReportOperatorTest(KubernetesClient client, Jobs jobs, InstantSource clock) {
    this.client = client;
    this.jobs = jobs;
    this.operator = new ReportOperator(client, library, clock);
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
  void aReportIsPublishedWhenAllItsChaptersAreWritten(PodScript pods, TestClock clock) {
    pods.everyPod().runsFor(10, MINUTES);
    create("annual", 3);
    assertThat(jobOf("annual")).hasActive(3).hasReady(3);
    becomes("annual", "Writing");
    assertThat(library.published).isEmpty();

    clock.advance(10, MINUTES);

    assertThat(jobOf("annual")).isComplete();
    Report ready = becomes("annual", "Published");
    assertThat(library.published).containsExactly("annual");
    assertThat(ready.getStatus().observedGeneration).isEqualTo(1);
    assertThat(ready.getStatus().conditions.getFirst().getLastTransitionTime())
        .isEqualTo("2026-01-01T00:10:00Z");
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
    Report failed = becomes("annual", "ChaptersFailed");
    assertThat(failed.getStatus().failedChapters).isEqualTo("2");
  }

  /** The finalizer holds the report; then the garbage collector deletes the Job and its pods. */
  @Test
  void aDeletedReportStaysUntilItIsWithdrawn(PodScript pods, TestClock clock) {
    create("annual", 2);
    becomes("annual", "Published");
    library.closed = true;

    report("annual").delete();

    assertThat(report("annual").get().isMarkedForDeletion()).isTrue();
    assertThat(library.published).containsExactly("annual");

    library.closed = false;

    report("annual").waitUntilCondition(Objects::isNull, 60, SECONDS);
    assertThat(library.published).isEmpty();
    client.batch().v1().jobs().withName("annual").waitUntilCondition(Objects::isNull, 60, SECONDS);
    clock.advance(1, MINUTES); // The controller confirms that the Job is gone before it frees pods.
    assertThat(jobs.job("annual").pods()).isEmpty();
  }

  /** The API fills in and checks what the definition's schema says. */
  @Test
  void theNumberOfChaptersIsChecked() {
    create("short", null);
    assertThat(report("short").get().getSpec().chapters).isEqualTo(1);
    assertThatExceptionOfType(KubernetesClientException.class)
        .isThrownBy(() -> create("empty", 0))
        .withMessageContaining("spec.chapters")
        .withMessageContaining("greater than or equal to 1");
  }

  /** A rule in CEL compares the report with what it was before. */
  @Test
  void theNumberOfChaptersCannotBeChanged() {
    create("annual", 3);
    becomes("annual", "Published");
    assertThatExceptionOfType(KubernetesClientException.class)
        .isThrownBy(() ->
            report("annual")
                .edit(report -> {
                  report.getSpec().chapters = 4;
                  return report;
                }))
        .withMessageContaining("a report cannot change its number of chapters");
  }

  /** The status is a subresource: whoever writes the report itself cannot write it. */
  @Test
  void usersCannotWriteTheStatus(PodScript pods) {
    pods.everyPod().neverEnds();
    Report dreamed = reportWith("annual", 3);
    dreamed.setStatus(new Report.Status());
    dreamed.getStatus().failedChapters = "none";
    client.resource(dreamed).create();
    assertThat(becomes("annual", "Writing").getStatus().failedChapters).isNotEqualTo("none");
  }

  @Test
  void conflictsOnTheReportAreRetried(ApiFaults faults) {
    faults.next(3).updates().of("reports").conflict();
    create("annual", 1);
    becomes("annual", "Published");
  }

  @Test
  void failedAndLostCreationsOfTheJobAreRetried(ApiFaults faults) {
    faults.next(1).creates().of("jobs").fail(Reason.INTERNAL);
    faults.next(1).creates().of("jobs").loseAnswer();
    create("annual", 1);
    becomes("annual", "Published");
  }

  /**
   * The operator misses nothing while its watches are broken. The test's own watches have a name.
   */
  @Test
  void changesDuringBrokenWatchesAreNotMissed(PodScript pods, ApiFaults faults, TestClock clock) {
    pods.everyPod().runsFor(10, MINUTES);
    create("annual", 1);
    assertThat(jobOf("annual")).hasActive(1);
    becomes("annual", "Writing");

    faults.next(2).watches().matching(watch -> watch.name().isEmpty()).fail(Reason.GONE);
    faults.dropWatches();
    clock.advance(10, MINUTES);

    becomes("annual", "Published");
  }

  private void create(String name, @Nullable Integer chapters) {
    client.resource(reportWith(name, chapters)).create();
  }

  private static Report reportWith(String name, @Nullable Integer chapters) {
    Report report = new Report();
    report.getMetadata().setName(name);
    report.setSpec(new Report.Spec());
    report.getSpec().chapters = chapters;
    return report;
  }

  private Resource<Report> report(String name) {
    return client.resources(Report.class).withName(name);
  }

  /** Waits, in real time, until the operator has created the Job. */
  private TestJob jobOf(String report) {
    return jobs.job(report).await("there", status -> true);
  }

  /** Waits, in real time, until the report's condition has this reason. */
  private Report becomes(String name, String reason) {
    return report(name)
        .waitUntilCondition(
            found ->
                found != null
                    && found.getStatus() != null
                    && found.getStatus().conditions.stream()
                        .map(Condition::getReason)
                        .anyMatch(reason::equals),
            60,
            SECONDS);
  }

  /** A library that can be closed. */
  private static final class TestLibrary implements ReportLibrary {
    final Set<String> published = ConcurrentHashMap.newKeySet();
    volatile boolean closed;

    @Override
    public void publish(String report) {
      published.add(report);
    }

    @Override
    public void withdraw(String report) {
      if (closed) {
        throw new IllegalStateException("the library is closed");
      }
      published.remove(report);
    }
  }
}
