package dev.stint.apiserver;

import dev.stint.model.Json;
import dev.stint.model.Quantity;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The quality of service that a pod's resources amount to: {@code status.qosClass}. */
enum QosClass {
  /** Every container has limits for CPU and memory, and requests just these. */
  GUARANTEED("Guaranteed"),
  /** Some container requests or limits something. */
  BURSTABLE("Burstable"),
  /** No container says anything. */
  BEST_EFFORT("BestEffort");

  private static final List<String> COUNTED = List.of("cpu", "memory");

  private final String text;

  QosClass(String text) {
    this.text = text;
  }

  static QosClass of(ObjectNode pod) {
    List<JsonNode> containers = new ArrayList<>();
    for (String member : List.of("initContainers", "containers")) {
      ArrayNode found = Json.arrayAt(Json.objectAt(pod, "spec"), member);
      if (found != null) {
        found.forEach(containers::add);
      }
    }
    if (containers.stream().noneMatch(QosClass::saysSomething)) {
      return BEST_EFFORT;
    }
    return containers.stream().allMatch(QosClass::guaranteed) ? GUARANTEED : BURSTABLE;
  }

  private static boolean saysSomething(JsonNode container) {
    return COUNTED.stream()
        .anyMatch(resource ->
            amount(container, "requests", resource) != null
                || amount(container, "limits", resource) != null);
  }

  private static boolean guaranteed(JsonNode container) {
    return COUNTED.stream()
        .allMatch(resource -> {
          JsonNode limit = amount(container, "limits", resource);
          JsonNode request = amount(container, "requests", resource);
          return limit != null && (request == null || equal(limit, request));
        });
  }

  private static boolean equal(JsonNode limit, JsonNode request) {
    Quantity amount = Quantity.parse(limit.asString());
    Quantity other = Quantity.parse(request.asString());
    return amount != null && other != null && amount.compareTo(other) == 0;
  }

  private static @Nullable JsonNode amount(JsonNode container, String group, String resource) {
    ObjectNode amounts = Json.objectAt(Json.objectAt(container, "resources"), group);
    return amounts == null ? null : amounts.get(resource);
  }

  /** As it stands in the status. */
  @Override
  public String toString() {
    return text;
  }
}
