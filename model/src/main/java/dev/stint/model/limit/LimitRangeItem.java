package dev.stint.model.limit;

import dev.stint.model.Json;
import dev.stint.model.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One item of a limit range.
 *
 * @param type what it limits, such as "Container"
 * @param limits the limits of containers that have none
 * @param requests the requests of containers that have none
 * @param ratio the greatest ratio of a limit to a request
 */
record LimitRangeItem(
    String type,
    NavigableMap<String, Quantity> min,
    NavigableMap<String, Quantity> max,
    NavigableMap<String, Quantity> limits,
    NavigableMap<String, Quantity> requests,
    NavigableMap<String, Quantity> ratio) {

  /** Returns the items of a stored limit range. */
  static List<LimitRangeItem> of(ObjectNode limitRange) {
    List<LimitRangeItem> items = new ArrayList<>();
    for (JsonNode item : limitRange.path("spec").path("limits")) {
      items.add(
          new LimitRangeItem(
              Objects.requireNonNullElse(Json.text(item, "type"), ""),
              amounts(item, "min"),
              amounts(item, "max"),
              amounts(item, "default"),
              amounts(item, "defaultRequest"),
              amounts(item, "maxLimitRequestRatio")));
    }
    return items;
  }

  private static NavigableMap<String, Quantity> amounts(JsonNode item, String member) {
    NavigableMap<String, Quantity> amounts = new TreeMap<>();
    Json.forEachText(
        item,
        member,
        (resource, text) -> {
          Quantity amount = Quantity.parse(text);
          if (amount != null) {
            amounts.put(resource, amount);
          }
        });
    return amounts;
  }
}
