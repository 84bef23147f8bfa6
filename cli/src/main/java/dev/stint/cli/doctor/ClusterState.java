package dev.stint.cli.doctor;

import dev.stint.cli.location.ClusterConnections;
import dev.stint.cluster.ClusterException;
import dev.stint.embedded.ThreadTimers;
import dev.stint.jobs.ApiCalls;
import dev.stint.kube.ContentType;
import dev.stint.kube.KubeCluster;
import dev.stint.model.Kind;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Looks at a cluster: whether it answers, and how replicas of the controller share its Jobs. */
final class ClusterState {
  private ClusterState() {}

  static List<Finding> of(Path kubeconfig, @Nullable String context, InstantSource clock) {
    try (ThreadTimers timers = new ThreadTimers();
        KubeCluster cluster =
            ClusterConnections.open(
                "--kubeconfig", kubeconfig, context, ContentType.JSON, timers)) {
      return of(cluster, clock);
    }
  }

  private static List<Finding> of(KubeCluster cluster, InstantSource clock) {
    String subject = "cluster";
    List<Finding> findings = new ArrayList<>();
    try {
      findings.add(
          Finding.ok(
              subject, "Kubernetes " + ApiCalls.await(cluster.version()) + " at " + cluster.url()));
    } catch (ClusterException fault) {
      return List.of(
          Finding.note(
              subject,
              cluster.url() + " does not answer: " + fault.getMessage(),
              "name another kubeconfig with --kubeconfig, or another context with --context"));
    }
    try {
      findings.addAll(
          ShardFindings.of(
              ApiCalls.await(cluster.list(Kind.LEASE, null)).items(), clock.instant()));
    } catch (ClusterException refused) {
      findings.add(
          Finding.note(
              "shards",
              "leases can't be read: " + refused.getMessage(),
              "use an account that may list leases in all namespaces"));
    }
    return findings;
  }
}
