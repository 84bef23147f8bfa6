package dev.stint.apiserver.patch;

import dev.stint.model.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * JSON merge patch (RFC 7386); as in Kubernetes, members in the items of lists are null for none.
 */
public final class MergePatch {
  private MergePatch() {}

  /**
   * The target with the patch applied. Neither is changed; what the patch does not touch is shared
   * between the target and the answer, so that telling what changed is cheap.
   */
  public static ObjectNode apply(ObjectNode target, ObjectNode patch) {
    ObjectNode merged = Json.object();
    merged.setAll(target);
    patch
        .properties()
        .forEach(change -> {
          if (change.getValue().isNull()) {
            merged.remove(change.getKey());
          } else {
            merged.set(change.getKey(), merged(target, change.getKey(), change.getValue()));
          }
        });
    return merged;
  }

  private static JsonNode merged(ObjectNode target, String member, JsonNode change) {
    if (!(change instanceof ObjectNode changes)) {
      return change.isArray() ? DocumentValues.withoutNulls(change) : change;
    }
    ObjectNode old = Json.objectAt(target, member);
    return apply(old == null ? Json.object() : old, changes);
  }
}
