package dev.stint.cli.target;

import dev.stint.cli.output.UserException;
import dev.stint.cluster.Timers;
import dev.stint.kube.KubeCluster;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Clusters of others, by the flags that name them. */
public final class ClusterConnections {
  private ClusterConnections() {}

  /**
   * The cluster that a kubeconfig file describes. Connects to nothing yet.
   *
   * @param flag the one that names the file, such as {@code --kubeconfig}
   * @param context null for the file's current one
   * @throws UserException where the file is not there, or describes none
   */
  public static KubeCluster open(String flag, Path file, @Nullable String context, Timers timers) {
    try {
      return KubeCluster.of(file, context, timers);
    } catch (IllegalArgumentException fault) {
      throw new UserException(flag + " " + fault.getMessage());
    }
  }
}
