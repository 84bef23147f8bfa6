package dev.stint.examples.operator;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stint.testkit.process.RemoteControlPlane;
import dev.stint.testkit.process.StintProcessTest;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Each test has its own Kubernetes API, which serves the operator's custom resource, with real
 * controllers, in a JVM of its own; and a running operator.
 */
@StintProcessTest(crds = "crds/*.yaml")
class ReportOperatorTest {
  private final RemoteControlPlane stint;
  private final KubernetesClient client;
  private final Set<String> published = ConcurrentHashMap.newKeySet();
  private final ReportOperator operator;

  ReportOperatorTest(RemoteControlPlane stint, KubernetesClient client) {
    this.stint = stint;
    this.client = client;
    this.operator = new ReportOperator(client, new TestLibrary(), stint);
  }

  /** A library that remembers what is published. */
  private final class TestLibrary implements ReportLibrary {
    @Override
    public void publish(String report) {
      published.add(report);
    }

    @Override
    public void withdraw(String report) {
      published.remove(report);
    }
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
  void aReportIsPublishedWhenAllItsChaptersAreWritten() {
    stint.pods().runsFor(Duration.ofMinutes(10));
    create("annual", 3);
    becomes("annual", "Writing");
    assertThat(job("annual").get().getStatus().getActive()).isEqualTo(3);
    assertThat(published).isEmpty();

    stint.advance(Duration.ofMinutes(10));

    Report ready = becomes("annual", "Published");
    assertThat(published).containsExactly("annual");
    assertThat(ready.getStatus().conditions.get(0).getLastTransitionTime())
        .isEqualTo("2026-01-01T00:10:00Z");
  }

  /** The back-off before a chapter's second attempt passes in simulated time. */
  @Test
  void aReportFailsWithTheChaptersThatFailedTwice() {
    stint.pods().onIndexes("0").attempt(1).exits(42);
    stint.pods().onIndexes("2").exits(1);
    create("annual", 4);
    becomes("annual", "Writing");

    stint.advance(Duration.ofMinutes(1));

    assertThat(becomes("annual", "ChaptersFailed").getStatus().failedChapters).isEqualTo("2");
    assertThat(job("annual").get().getStatus().getCompletedIndexes()).isEqualTo("0,1,3");
  }

  /**
   * The finalizer holds the report until it is withdrawn; the garbage collector deletes its Job.
   */
  @Test
  void aDeletedReportIsWithdrawn() {
    create("annual", 2);
    becomes("annual", "Published");
    report("annual").delete();
    report("annual").waitUntilCondition(Objects::isNull, 60, SECONDS);
    assertThat(published).isEmpty();
    job("annual").waitUntilCondition(Objects::isNull, 60, SECONDS);
  }

  @Test
  void conflictsAndLostAnswersAreRetried() {
    stint.faults(3).of("reports").verbs("update").conflict();
    stint.faults(1).of("jobs").verbs("create").loseAnswer();
    create("annual", 1);
    becomes("annual", "Published");
  }

  /** The API checks what the definition's schema says. */
  @Test
  void theNumberOfChaptersIsChecked() {
    assertThatExceptionOfType(KubernetesClientException.class)
        .isThrownBy(() -> create("empty", 0))
        .withMessageContaining("spec.chapters");
  }

  private void create(String name, int chapters) {
    Report report = new Report();
    report.getMetadata().setName(name);
    report.setSpec(new Report.Spec());
    report.getSpec().chapters = chapters;
    client.resource(report).create();
  }

  private Resource<Report> report(String name) {
    return client.resources(Report.class).withName(name);
  }

  private Resource<Job> job(String name) {
    return client.batch().v1().jobs().withName(name);
  }

  /** Waits, in real time, until the operator gives this reason. */
  private Report becomes(String name, String reason) {
    return report(name).waitUntilCondition(report -> reasons(report).contains(reason), 60, SECONDS);
  }

  private static List<String> reasons(Report report) {
    return report == null || report.getStatus() == null
        ? List.of()
        : report.getStatus().conditions.stream().map(Condition::getReason).toList();
  }
}
