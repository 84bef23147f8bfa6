package dev.stint.runner.spec;

import dev.stint.model.Json;
import tools.jackson.databind.node.ObjectNode;

/** The role of a container in its pod. */
public enum ContainerRole {
  /** Runs to its end before the next container starts. */
  INIT,
  /** An init container that is always restarted: runs along with the others and ends after them. */
  SIDECAR,
  /** One of {@code spec.containers}: does the pod's work. */
  MAIN;

  /** Returns the role of an entry of {@code spec.initContainers} ("Sidecar Containers"). */
  public static ContainerRole ofInitContainer(ObjectNode container) {
    return "Always".equals(Json.text(container, "restartPolicy")) ? SIDECAR : INIT;
  }
}
