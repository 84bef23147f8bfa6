package dev.stint.apiserver.http;

import dev.stint.apiserver.WriteOptions;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * How kept objects look to those who ask for them by a path. Most look as they are kept; events
 * have a second group, with other names for the same fields.
 */
enum View {
  /** As they are kept. */
  PLAIN(Map.of()),
  /** Events of the group {@code events.k8s.io}. */
  EVENTS(
      Map.of(
          "involvedObject", "regarding",
          "message", "note",
          "source", "deprecatedSource",
          "firstTimestamp", "deprecatedFirstTimestamp",
          "lastTimestamp", "deprecatedLastTimestamp",
          "count", "deprecatedCount",
          "reportingComponent", "reportingController"));

  @SuppressWarnings("ImmutableEnumChecker") // Map.of cannot be changed.
  private final Map<String, String> shownNames;

  View(Map<String, String> shownNames) {
    this.shownNames = shownNames;
  }

  static View of(Call call) {
    return call.path().startsWith("/apis/" + Kind.EVENTS_EVENT.group() + "/") ? EVENTS : PLAIN;
  }

  /** The kind that objects of a kind are shown as. */
  Kind kind(Kind kept) {
    return this == EVENTS ? Kind.EVENTS_EVENT : kept;
  }

  /** Options of a write that comes by such a path: the rules of the shown kind hold. */
  WriteOptions rules(WriteOptions options, Kind kept) {
    return this == PLAIN ? options : options.seenAs(kind(kept));
  }

  /** A kept object as it is shown. */
  KubeObject shown(KubeObject kept) {
    return this == PLAIN ? kept : KubeObject.of(shown(kept.tree()));
  }

  /** A kept tree as it is shown; shares its members. */
  ObjectNode shown(ObjectNode kept) {
    if (this == PLAIN) {
      return kept;
    }
    ObjectNode shown = Json.object();
    for (Map.Entry<String, JsonNode> member : kept.properties()) {
      if (!isEmptyText(member.getValue())) {
        shown.set(shownNames.getOrDefault(member.getKey(), member.getKey()), member.getValue());
      }
    }
    return shown.put("apiVersion", Kind.EVENTS_EVENT.apiVersion());
  }

  /** The core group shows who reports even where nobody says so. */
  private static boolean isEmptyText(JsonNode value) {
    return value.isString() && value.stringValue().isEmpty();
  }

  /** What is shown like this, as it is kept; shares its members. */
  ObjectNode kept(ObjectNode shown) {
    if (this == PLAIN) {
      return shown;
    }
    ObjectNode kept = Json.copyOf(shown);
    shownNames.forEach((name, shownName) -> {
      JsonNode value = kept.remove(shownName);
      if (value != null) {
        kept.set(name, value);
      }
    });
    return kept.put("apiVersion", Kind.EVENT.apiVersion());
  }
}
