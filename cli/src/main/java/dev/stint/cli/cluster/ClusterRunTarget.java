package dev.stint.cli.cluster;

import dev.stint.cli.follow.RunTarget;
import dev.stint.cli.location.RemoteLogs;
import dev.stint.cli.report.Progress;
import dev.stint.jobs.JobChanges;
import dev.stint.jobs.JobCounts;
import dev.stint.jobs.attempts.LogSource;
import dev.stint.kube.KubeCluster;
import dev.stint.model.KubeObject;
import dev.stint.runner.log.LogTree;
import org.jspecify.annotations.Nullable;

/**
 * The Jobs of a {@code run} on a cluster, which keeps their logs as long as their pods exist.
 *
 * @param connection the flags with which another command finds the cluster, each with a space
 *     before it
 * @param usual the namespace to which these flags lead
 */
record ClusterRunTarget(KubeCluster cluster, String connection, String usual) implements RunTarget {
  @Override
  public String flags(KubeObject job) {
    return connection + (job.namespace().equals(usual) ? "" : " -n " + job.namespace());
  }

  @Override
  public String started(KubeObject job) {
    return "created; its logs: stint logs -f " + job.name() + flags(job);
  }

  @Override
  public String resumed(KubeObject job) {
    return "goes on, "
        + Progress.succeeded(JobCounts.of(job))
        + (JobChanges.isSuspended(job) ? "; it is suspended" : "");
  }

  @Override
  public String placeOfLogs(KubeObject job) {
    return "stint logs " + job.name() + flags(job);
  }

  @Override
  public LogSource logs(KubeObject job) {
    return new RemoteLogs(cluster, job.namespace());
  }

  @Override
  public boolean hasLogs() {
    return true;
  }

  @Override
  public @Nullable LogTree files() {
    return null;
  }
}
