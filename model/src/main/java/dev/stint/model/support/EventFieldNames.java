package dev.stint.model.support;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The names of an event's fields, which differ between the two groups that serve events. Events are
 * stored with those of the core group.
 */
public final class EventFieldNames {
  private static final Map<String, String> SHOWN =
      Map.of(
          "involvedObject", "regarding",
          "message", "note",
          "source", "deprecatedSource",
          "firstTimestamp", "deprecatedFirstTimestamp",
          "lastTimestamp", "deprecatedLastTimestamp",
          "count", "deprecatedCount",
          "reportingComponent", "reportingController");

  private static final Map<String, String> KEPT =
      SHOWN.entrySet().stream()
          .collect(Collectors.toUnmodifiableMap(Map.Entry::getValue, Map.Entry::getKey));

  private EventFieldNames() {}

  /** Returns the name in the group events.k8s.io of a field of the core group. */
  static String shown(String kept) {
    return SHOWN.getOrDefault(kept, kept);
  }

  /** Returns the name in the core group of a field of events.k8s.io. */
  static String kept(String shown) {
    return KEPT.getOrDefault(shown, shown);
  }

  /** Returns an event of the core group in the form of events.k8s.io; shares its members. */
  public static ObjectNode shown(ObjectNode kept) {
    ObjectNode shown = Json.object();
    for (Map.Entry<String, JsonNode> member : kept.properties()) {
      if (!isEmptyText(member.getValue())) {
        shown.set(shown(member.getKey()), member.getValue());
      }
    }
    return shown.put("apiVersion", Kind.EVENTS_EVENT.apiVersion());
  }

  /** True for empty text, which the core group shows for an absent reporter. */
  private static boolean isEmptyText(JsonNode value) {
    return value.isString() && value.stringValue().isEmpty();
  }

  /** Returns an event of events.k8s.io in its stored form; shares its members. */
  public static ObjectNode kept(ObjectNode shown) {
    ObjectNode kept = Json.copyOf(shown);
    KEPT.forEach((shownName, name) -> {
      JsonNode value = kept.remove(shownName);
      if (value != null) {
        kept.set(name, value);
      }
    });
    return kept.put("apiVersion", Kind.EVENT.apiVersion());
  }
}
