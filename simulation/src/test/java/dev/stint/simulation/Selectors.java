package dev.stint.simulation;

import dev.stint.model.KubeObject;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** A second implementation of label selectors, and labels that match or do not. */
final class Selectors {
  private Selectors() {}

  /** True if the selector of a Job matches a pod. */
  static boolean matches(KubeObject job, KubeObject pod) {
    JsonNode selector = job.tree().at("/spec/selector");
    JsonNode labels = pod.tree().at("/metadata/labels");
    return selector.path("matchLabels").properties().stream()
            .allMatch(wanted -> wanted.getValue().equals(labels.path(wanted.getKey())))
        && selector
            .path("matchExpressions")
            .valueStream()
            .allMatch(wanted -> holds(wanted, labels));
  }

  private static boolean holds(JsonNode wanted, JsonNode labels) {
    JsonNode label = labels.path(wanted.path("key").asString());
    List<JsonNode> values = wanted.path("values").valueStream().toList();
    return switch (wanted.path("operator").asString()) {
      case "In" -> values.contains(label);
      case "NotIn" -> !values.contains(label);
      case "Exists" -> !label.isMissingNode();
      default -> label.isMissingNode();
    };
  }
}
