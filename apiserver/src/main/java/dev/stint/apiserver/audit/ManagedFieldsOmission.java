package dev.stint.apiserver.audit;

import dev.stint.model.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Removes the managed fields of objects and lists, which say nothing about who did what. */
final class ManagedFieldsOmission {
  private ManagedFieldsOmission() {}

  /** Returns an object or a list without managed fields; anything else as it is. */
  static JsonNode of(JsonNode body) {
    if (!(body instanceof ObjectNode object)) {
      return body;
    }
    ObjectNode copy = object.deepCopy();
    remove(copy);
    ArrayNode items = Json.arrayAt(copy, "items");
    if (items != null) {
      items.forEach(ManagedFieldsOmission::remove);
    }
    return copy;
  }

  private static void remove(JsonNode object) {
    ObjectNode metadata = Json.objectAt(object, "metadata");
    if (metadata != null) {
      metadata.remove("managedFields");
    }
  }
}
