package dev.stint.model.pod;

import dev.stint.model.Json;
import dev.stint.model.Quantity;
import java.math.RoundingMode;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Defaults of amounts. */
final class ResourceDefaults {
  private static final int MILLI = 3;

  private ResourceDefaults() {}

  /** A thousandth is the finest amount of a resource. */
  static void roundUp(@Nullable ObjectNode resources) {
    if (resources != null) {
      roundUp(resources, "limits");
      roundUp(resources, "requests");
    }
  }

  static void roundUp(ObjectNode holder, String member) {
    ObjectNode amounts = Json.objectAt(holder, member);
    if (amounts == null) {
      return;
    }
    for (Map.Entry<String, JsonNode> entry : amounts.properties()) {
      Quantity amount = Quantity.parse(entry.getValue().asString(""));
      if (amount != null && amount.value().scale() > MILLI) {
        Quantity rounded =
            new Quantity(amount.value().setScale(MILLI, RoundingMode.UP), amount.style());
        amounts.put(entry.getKey(), rounded.canonical());
      }
    }
  }

  /** Who has a limit and asks for nothing asks for the limit. */
  static void requestLimits(ObjectNode container) {
    ObjectNode resources = Json.objectAt(container, "resources");
    ObjectNode limits = Json.objectAt(resources, "limits");
    if (resources == null || limits == null) {
      return;
    }
    ObjectNode requests = resources.withObjectProperty("requests");
    limits
        .properties()
        .forEach(limit -> {
          if (!requests.has(limit.getKey())) {
            requests.set(limit.getKey(), limit.getValue());
          }
        });
  }
}
