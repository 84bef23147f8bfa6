package dev.stint.runner.container;

import dev.stint.model.Json;
import dev.stint.runner.container.daemon.ImageRef;
import tools.jackson.databind.node.ObjectNode;

/** The image pull policy ("Image pull policy" of the Kubernetes documentation). */
public enum PullPolicy {
  ALWAYS,
  IF_NOT_PRESENT,
  NEVER;

  /**
   * Returns the policy of a container. By default, only an image whose name may come to mean
   * another one is pulled again.
   */
  public static PullPolicy of(ObjectNode container, ImageRef image) {
    return switch (Json.text(container, "imagePullPolicy")) {
      case "Always" -> ALWAYS;
      case "IfNotPresent" -> IF_NOT_PRESENT;
      case "Never" -> NEVER;
      case null, default -> image.isLatest() ? ALWAYS : IF_NOT_PRESENT;
    };
  }
}
