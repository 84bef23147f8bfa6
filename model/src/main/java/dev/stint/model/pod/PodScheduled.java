package dev.stint.model.pod;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The condition {@code PodScheduled} of a pod. */
public final class PodScheduled {
  private static final String TYPE = "PodScheduled";

  private PodScheduled() {}

  /** Returns the condition if it says that no node takes the pod, and why; else null. */
  public static @Nullable ObjectNode refusal(KubeObject pod) {
    ArrayNode conditions = Json.arrayAt(pod.status(), "conditions");
    if (conditions == null) {
      return null;
    }
    for (JsonNode condition : conditions) {
      if (condition instanceof ObjectNode found
          && TYPE.equals(Json.text(found, "type"))
          && "False".equals(Json.text(found, "status"))) {
        return found;
      }
    }
    return null;
  }
}
