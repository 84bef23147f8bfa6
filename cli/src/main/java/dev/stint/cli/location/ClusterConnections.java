package dev.stint.cli.location;

import dev.stint.cli.output.UserException;
import dev.stint.cluster.Timers;
import dev.stint.kube.ContentType;
import dev.stint.kube.KubeCluster;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Opens connections to clusters, by the flags that name them. */
public final class ClusterConnections {
  private ClusterConnections() {}

  /**
   * Returns the cluster that a kubeconfig file describes. Does not connect yet.
   *
   * @param flag the flag that names the file, such as {@code --kubeconfig}
   * @param context null for the file's current one
   * @param type the preferred encoding
   * @throws UserException if the file does not exist, or describes no cluster
   */
  public static KubeCluster open(
      String flag, Path file, @Nullable String context, ContentType type, Timers timers) {
    try {
      return KubeCluster.of(file, context, type, timers);
    } catch (IllegalArgumentException fault) {
      throw new UserException(flag + " " + fault.getMessage());
    }
  }

  /**
   * Returns a cluster. Does not connect yet.
   *
   * @throws UserException if the file does not exist, or describes no cluster
   */
  public static KubeCluster open(ChosenTarget.Far far, Timers timers) {
    try {
      return KubeCluster.of(far.kubeconfigs(), far.context(), timers);
    } catch (IllegalArgumentException fault) {
      String hint = far.implied() ? ChosenTarget.hint() : "";
      throw new UserException(far.origin() + " " + fault.getMessage() + hint);
    }
  }

  /** Returns a cluster's address and context, for people. */
  public static String describe(KubeCluster cluster) {
    String url = cluster.url();
    String address = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    return "cluster %s (context %s)".formatted(address, cluster.context());
  }
}
