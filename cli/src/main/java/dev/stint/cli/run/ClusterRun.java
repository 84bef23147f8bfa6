package dev.stint.cli.run;

import dev.stint.cli.follow.FollowOptions;
import dev.stint.cli.submit.ExistingJobs;
import dev.stint.cli.submit.RequestedJob;
import dev.stint.cluster.Timers;
import dev.stint.kube.KubeCluster;
import dev.stint.model.document.Document;
import java.util.List;

/**
 * A {@code run} on a cluster.
 *
 * @param origin what names the cluster; empty if the user knows
 * @param flags the flags with which another command finds it, each with a space before it
 * @param usual the namespace to which these flags lead
 * @param namespace that of documents that name none
 * @param inputs the documents that are applied before the Jobs are created
 */
public record ClusterRun(
    KubeCluster cluster,
    Timers timers,
    String origin,
    String flags,
    String usual,
    String namespace,
    List<RequestedJob> jobs,
    List<Document> inputs,
    ExistingJobs existing,
    FollowOptions following) {

  /** Carries out such a run. */
  @FunctionalInterface
  public interface Executor {
    /** Runs the Jobs to their end and returns the exit status. */
    int run(ClusterRun run);
  }
}
