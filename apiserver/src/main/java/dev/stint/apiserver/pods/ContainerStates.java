package dev.stint.apiserver.pods;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads the container states in a pod's status. */
final class ContainerStates {
  private ContainerStates() {}

  static Optional<ObjectNode> of(KubeObject pod, String container) {
    for (String list :
        List.of("containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses")) {
      ArrayNode statuses = Json.arrayAt(pod.status(), list);
      if (statuses != null) {
        for (JsonNode each : statuses) {
          if (each instanceof ObjectNode status && container.equals(Json.text(status, "name"))) {
            return Optional.of(status);
          }
        }
      }
    }
    return Optional.empty();
  }
}
