package dev.stint.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ForwardingCluster;
import dev.stint.harness.FakeCluster;
import dev.stint.harness.JobBuilder;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.time.Instant;
import java.time.InstantSource;
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
  void aSuspendedJobStaysSoIfItsStatusMayNotBeWritten() {
    KubeObject job = JobChanges.suspend(cluster, cluster.add(JobBuilder.named("a")), true);
    assertThat(cancel(new OfAnEditor(cluster), job))
        .isEqualTo(
            "stays suspended, as you may not write its status; it fails one second after it is"
                + " resumed, or delete it");
    assertThat(cancel(cluster, job)).startsWith("cancelled; its pods");
  }
}
