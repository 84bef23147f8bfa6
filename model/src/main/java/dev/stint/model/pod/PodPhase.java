package dev.stint.model.pod;

import org.jspecify.annotations.Nullable;

/** What a pod's {@code status.phase} tells (Kubernetes documentation, Pod Lifecycle, Pod phase). */
public final class PodPhase {
  private PodPhase() {}

  /**
   * Whether all containers have ended, and none is started again.
   *
   * @param phase null where there is none yet
   */
  public static boolean isTerminal(@Nullable String phase) {
    return "Succeeded".equals(phase) || "Failed".equals(phase);
  }
}
