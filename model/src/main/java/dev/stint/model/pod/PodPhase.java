package dev.stint.model.pod;

import org.jspecify.annotations.Nullable;

/**
 * The phases in a pod's {@code status.phase} (Kubernetes documentation, Pod Lifecycle, Pod phase).
 */
public final class PodPhase {
  private PodPhase() {}

  /**
   * True if all containers have ended, and none is restarted.
   *
   * @param phase null if there is none yet
   */
  public static boolean isTerminal(@Nullable String phase) {
    return "Succeeded".equals(phase) || "Failed".equals(phase);
  }
}
