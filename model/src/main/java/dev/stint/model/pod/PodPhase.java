package dev.stint.model.pod;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The phases of a pod, by their names in {@code status.phase} (Kubernetes documentation, Pod
 * Lifecycle, Pod phase).
 */
public enum PodPhase {
  Pending,
  Running,
  Succeeded,
  Failed,
  Unknown;

  /** Returns the phase of a pod; a pod without one is pending. */
  public static PodPhase of(KubeObject pod) {
    return of(pod.statusText("phase"));
  }

  /** Returns the phase of a pod's tree. */
  public static PodPhase of(ObjectNode pod) {
    return of(Json.text(Json.objectAt(pod, "status"), "phase"));
  }

  /**
   * Returns the phase of that name.
   *
   * @param name null if there is none yet
   */
  public static PodPhase of(@Nullable String name) {
    if (name == null) {
      return Pending;
    }
    return switch (name) {
      case "Pending" -> Pending;
      case "Running" -> Running;
      case "Succeeded" -> Succeeded;
      case "Failed" -> Failed;
      default -> Unknown;
    };
  }

  /** True if all containers have ended, and none is restarted. */
  public boolean isTerminal() {
    return this == Succeeded || this == Failed;
  }
}
