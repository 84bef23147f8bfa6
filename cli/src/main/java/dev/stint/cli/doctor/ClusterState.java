package dev.stint.cli.doctor;

import dev.stint.cli.location.ClusterConnections;
import dev.stint.cli.output.UserException;
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
  private static final String SUBJECT = "cluster";
  private static final String ADVICE =
      "name another kubeconfig with --kubeconfig, or another context with --context";

  private ClusterState() {}

  static List<Finding> of(Path kubeconfig, @Nullable String context, InstantSource clock) {
    try (ThreadTimers timers = new ThreadTimers();
        KubeCluster cluster =
            ClusterConnections.open(
                "--kubeconfig", kubeconfig, context, ContentType.JSON, timers)) {
      return of(cluster, clock);
    } catch (UserException unreadable) {
      return List.of(Finding.note(SUBJECT, String.join("; ", unreadable.lines()), ADVICE));
    }
  }

  private static List<Finding> of(KubeCluster cluster, InstantSource clock) {
    List<Finding> findings = new ArrayList<>();
    try {
      findings.add(
          Finding.ok(
              SUBJECT, "Kubernetes " + ApiCalls.await(cluster.version()) + " at " + cluster.url()));
    } catch (ClusterException fault) {
      return List.of(
          Finding.note(SUBJECT, cluster.url() + " does not answer: " + fault.getMessage(), ADVICE));
    }
    try {
      findings.addAll(
          ShardFindings.of(
              ApiCalls.await(cluster.list(Kind.LEASE, null)).items(), clock.instant()));
    } catch (ClusterException refused) {
      findings.add(
          Finding.note(
              "shards",
              "leases cannot be read: " + refused.getMessage(),
              "use an account that may list leases in all namespaces"));
    }
    return findings;
  }
}
