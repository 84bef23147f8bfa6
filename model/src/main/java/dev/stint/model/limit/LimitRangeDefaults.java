package dev.stint.model.limit;

import dev.stint.model.Json;
import dev.stint.model.pod.ResourceDefaults;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The defaults of a limit range: an item for containers that says one amount says others too. */
public final class LimitRangeDefaults {
  static final List<String> AMOUNTS =
      List.of("max", "min", "default", "defaultRequest", "maxLimitRequestRatio");

  private LimitRangeDefaults() {}

  /** Fills in the defaults; idempotent. */
  public static void apply(ObjectNode limitRange) {
    JsonNode limits = Json.arrayAt(Json.objectAt(limitRange, "spec"), "limits");
    if (limits != null) {
      for (JsonNode item : limits) {
        if (item instanceof ObjectNode limit) {
          apply(limit, "Container".equals(Json.text(limit, "type")));
        }
      }
    }
  }

  private static void apply(ObjectNode limit, boolean ofContainers) {
    AMOUNTS.forEach(member -> ResourceDefaults.roundUp(limit, member));
    if (ofContainers) {
      fillIn(limit, "default", Json.objectAt(limit, "max"));
      fillIn(limit, "defaultRequest", Json.objectAt(limit, "default"));
      fillIn(limit, "defaultRequest", Json.objectAt(limit, "min"));
    }
  }

  private static void fillIn(ObjectNode limit, String member, @Nullable ObjectNode from) {
    if (from == null || from.isEmpty()) {
      return;
    }
    ObjectNode amounts = Json.copyOf(Json.objectAt(limit, member));
    from.properties().stream()
        .filter(amount -> !amounts.has(amount.getKey()))
        .forEach(amount -> amounts.set(amount.getKey(), amount.getValue()));
    limit.set(member, amounts);
  }
}
