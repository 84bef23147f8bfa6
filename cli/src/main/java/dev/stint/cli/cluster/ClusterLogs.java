package dev.stint.cli.cluster;

import dev.stint.cli.follow.RunReport;
import dev.stint.cli.location.RemoteLogs;
import dev.stint.jobs.attempts.LogSource;
import dev.stint.kube.KubeCluster;
import dev.stint.model.KubeObject;
import dev.stint.runner.log.LogTree;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The logs of Jobs on a cluster, which keeps them as long as their pods exist.
 *
 * @param flags returns the flags with which another command finds a Job
 */
record ClusterLogs(KubeCluster cluster, Function<KubeObject, String> flags)
    implements RunReport.Logs {
  @Override
  public String place(KubeObject job) {
    return "stint logs " + job.name() + flags.apply(job);
  }

  @Override
  public @Nullable LogTree files() {
    return null;
  }

  @Override
  public Optional<LogSource> of(KubeObject job) {
    return Optional.of(new RemoteLogs(cluster, job.namespace()));
  }
}
