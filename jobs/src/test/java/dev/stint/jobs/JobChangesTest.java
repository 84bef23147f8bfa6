package dev.stint.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ForwardingCluster;
import dev.stint.harness.FakeCluster;
import dev.stint.harness.JobBuilder;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class JobChangesTest {
  private final FakeCluster cluster = new FakeCluster(Runnable::run, InstantSource.system());

  /** A cluster in which the user may not write statuses. */
  private static final class OfAnEditor extends ForwardingCluster {
    OfAnEditor(Cluster cluster) {
      super(cluster);
    }

    @Override
    public CompletableFuture<KubeObject> patchStatus(ObjectRef ref, ObjectNode patch) {
      return CompletableFuture.failedFuture(
          new ClusterException(ClusterException.Reason.FORBIDDEN, "no"));
    }
  }

  private static String cancel(Cluster as, KubeObject job) {
    return JobChanges.cancellation(JobChanges.cancel(as, job, "enough", Instant.EPOCH));
  }

  @Test
  void podsOfACancelledJobAreStopped() {
    KubeObject job = cluster.add(JobBuilder.named("a"));
    assertThat(cancel(new OfAnEditor(cluster), job)).startsWith("cancelled; its pods");
    assertThat(cancel(cluster, job)).startsWith("cancelled; its pods");
  }

  @Test
  void aCancellationByADeadlineIsToldFromADeadline() {
    KubeObject job = cluster.add(JobBuilder.named("a").spec("'activeDeadlineSeconds':60"));
    cancel(new OfAnEditor(cluster), job);
    assertThat(cancel(new OfAnEditor(cluster), exceeded(job))).startsWith("cancelled; its pods");
    assertThat(JobExplanation.of(exceeded(job), List.of(), List.of()))
        .startsWith("enough (which set its activeDeadlineSeconds to 1)");
    assertThat(JobSummary.of(exceeded(job), Instant.EPOCH).reason()).isEqualTo("Cancelled");

    JobChanges.cancel(new OfAnEditor(cluster), exceeded(job), "another reason", Instant.EPOCH);
    KubeObject written = KubeObject.of(WrittenJob.of(exceeded(job)));
    assertThat(written.tree().at("/spec/activeDeadlineSeconds").intValue()).isEqualTo(60);
    assertThat(written.annotations()).isEmpty();
  }

  @Test
  void aDeadlineOfZeroComesBack() {
    KubeObject job = cluster.add(JobBuilder.named("a").spec("'activeDeadlineSeconds':0"));
    cancel(new OfAnEditor(cluster), job);
    assertThat(WrittenJob.of(exceeded(job)).at("/spec/activeDeadlineSeconds").toString())
        .isEqualTo("0");
  }

  @Test
  void aDeadlineThatWasSetLaterCancelsNothing() {
    KubeObject job = cluster.add(JobBuilder.named("a"));
    cancel(new OfAnEditor(cluster), job);
    ObjectNode later = exceeded(job).copy();
    later.withObjectProperty("spec").put("activeDeadlineSeconds", 90);
    assertThat(JobExplanation.of(KubeObject.of(later), List.of(), List.of()))
        .startsWith("it was active for longer than its activeDeadlineSeconds: 90");
    assertThat(JobSummary.of(KubeObject.of(later), Instant.EPOCH).reason())
        .isEqualTo("DeadlineExceeded");
    assertThat(WrittenJob.of(KubeObject.of(later)).at("/spec/activeDeadlineSeconds").intValue())
        .isEqualTo(90);
    assertThat(WrittenJob.of(exceeded(job)).at("/spec/activeDeadlineSeconds").isMissingNode())
        .isTrue();
  }

  /** Returns the stored Job as if its controller had seen that its deadline has passed. */
  private KubeObject exceeded(KubeObject job) {
    ObjectNode tree = ApiCalls.await(cluster.get(job.ref())).copy();
    tree.withObjectProperty("status")
        .putArray("conditions")
        .addObject()
        .put("type", "FailureTarget")
        .put("status", "True")
        .put("reason", "DeadlineExceeded");
    return KubeObject.of(tree);
  }

  @Test
  void aSuspendedJobStaysSoIfItsStatusMayNotBeWritten() {
    KubeObject job = JobChanges.suspend(cluster, cluster.add(JobBuilder.named("a")), true);
    assertThat(cancel(new OfAnEditor(cluster), job))
        .isEqualTo(
            "stays suspended, as you may not write its status; it fails one second after it is"
                + " resumed, or delete it");
    assertThat(cancel(cluster, job)).startsWith("cancelled; its pods");
  }

  private static String start(KubeObject job) {
    return String.valueOf(Json.text(job.status(), "startTime"));
  }

  /**
   * Kubernetes' controller never ends a failed Job without one, nor gives it to a suspended one.
   */
  @Test
  void aSuspendedJobThatIsCancelledHasAStartTime() {
    Instant now = Instant.parse("2026-01-31T12:00:00.5Z");
    KubeObject suspended = cluster.add(JobBuilder.named("a").suspended());
    assertThat(start(JobChanges.cancel(cluster, suspended, "enough", now)))
        .isEqualTo("2026-01-31T12:00:00Z");
    String before = "2026-01-30T12:00:00Z";
    KubeObject started =
        cluster.add(JobBuilder.named("b").suspended().status("'startTime':'" + before + "'"));
    assertThat(start(JobChanges.cancel(cluster, started, "enough", now))).isEqualTo(before);
    KubeObject waiting = cluster.add(JobBuilder.named("c"));
    assertThat(start(JobChanges.cancel(cluster, waiting, "enough", now)))
        .as("the controller's own")
        .isEqualTo("null");
  }
}
