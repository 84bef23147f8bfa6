package dev.stint.apiserver;

import dev.stint.apiserver.strategy.SemanticEquality;
import dev.stint.apiserver.strategy.Strategy;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Determines what a request itself asked for, defaults included, to decide which fields its client
 * owns: of the fields that the server fills in, a client owns only those that it wrote itself.
 */
final class RequestedObject {
  private RequestedObject() {}

  /**
   * Returns the object with the server's additions replaced by what the request contained; the same
   * instance if there is no difference. As in Kubernetes, a field that a request omits and the
   * server fills in again has no owner from then on.
   *
   * @param after the object as it is stored; not changed
   * @param document the request's; not changed
   */
  static ObjectNode of(ObjectNode after, ObjectNode document, Strategy strategy) {
    ObjectNode requested = after;
    for (List<String> path : strategy.filledIn()) {
      requested = with(requested, document, path);
    }
    return requested;
  }

  private static ObjectNode with(
      ObjectNode object, @Nullable JsonNode document, List<String> path) {
    String name = path.getFirst();
    JsonNode is = object.get(name);
    JsonNode asked = document == null ? null : document.get(name);
    JsonNode wanted =
        path.size() > 1 && is instanceof ObjectNode below
            ? with(below, asked, path.subList(1, path.size()))
            : asked;
    if (path.size() > 1 && !(is instanceof ObjectNode) || SemanticEquality.areEqual(is, wanted)) {
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
