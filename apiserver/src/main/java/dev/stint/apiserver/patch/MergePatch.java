package dev.stint.apiserver.patch;

import dev.stint.model.Json;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * JSON merge patch (RFC 7386); as in Kubernetes, null members in the items of lists are removed.
 */
public final class MergePatch {
  private MergePatch() {}

  /**
   * Returns the target with the patch applied. Neither is changed; untouched parts are shared
   * between the target and the result, so that finding the differences is cheap.
   */
  public static ObjectNode apply(ObjectNode target, ObjectNode patch) {
    ObjectNode merged = Json.copyOf(target);
    for (Map.Entry<String, JsonNode> change : patch.properties()) {
      if (change.getValue().isNull()) {
        merged.remove(change.getKey());
      } else {
        merged.set(change.getKey(), merged(target, change.getKey(), change.getValue()));
      }
    }
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
