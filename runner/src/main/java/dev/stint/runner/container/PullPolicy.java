package dev.stint.runner.container;

import dev.stint.model.Json;
import dev.stint.runner.container.daemon.ImageRef;
import tools.jackson.databind.node.ObjectNode;

/** When an image is pulled ("Image pull policy" of the Kubernetes documentation). */
public enum PullPolicy {
  ALWAYS,
  IF_NOT_PRESENT,
  NEVER;

  /**
   * What a container asks for; without a word, only what may change by its name is pulled again.
   */
  public static PullPolicy of(ObjectNode container, ImageRef image) {
    return switch (Json.text(container, "imagePullPolicy")) {
      case "Always" -> ALWAYS;
      case "IfNotPresent" -> IF_NOT_PRESENT;
      case "Never" -> NEVER;
      case null, default -> image.latest() ? ALWAYS : IF_NOT_PRESENT;
    };
  }
}
