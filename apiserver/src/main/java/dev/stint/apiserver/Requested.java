package dev.stint.apiserver;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A written object as its writer asked for it, defaults included, which tells whose fields are: a
 * client owns of what the server fills in no more than it wrote itself.
 */
final class Requested {
  private Requested() {}

  /**
   * Returns the object with what the server filled in as the request had it; the same one where
   * there is no difference. What is as it was before stays whose it is.
   *
   * @param before the stored object; null for a new one
   * @param after the object as it is stored; not changed
   * @param document the request's; not changed
   */
  static ObjectNode of(
      @Nullable ObjectNode before, ObjectNode after, ObjectNode document, Strategy strategy) {
    ObjectNode requested = after;
    for (List<String> path : strategy.filledIn(document)) {
      requested = with(requested, before, document, path);
    }
    return requested;
  }

  private static ObjectNode with(
      ObjectNode object,
      @Nullable JsonNode before,
      @Nullable JsonNode document,
      List<String> path) {
    String name = path.getFirst();
    JsonNode is = object.get(name);
    JsonNode was = before == null ? null : before.get(name);
    JsonNode asked = document == null ? null : document.get(name);
    if (was != null && Trees.same(is, was)) {
      return object;
    }
    JsonNode wanted =
        path.size() > 1 && is instanceof ObjectNode below
            ? with(below, was, asked, path.subList(1, path.size()))
            : asked;
    if (path.size() > 1 && !(is instanceof ObjectNode) || Trees.same(is, wanted)) {
      return object;
    }
    ObjectNode copy = object.objectNode();
    copy.setAll(object);
    if (wanted == null) {
      copy.remove(name);
    } else {
      copy.set(name, wanted);
    }
    return copy;
  }
}
