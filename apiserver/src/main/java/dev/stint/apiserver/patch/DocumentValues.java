package dev.stint.apiserver.patch;

import dev.stint.model.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Compares and copies parts of documents. */
final class DocumentValues {
  private DocumentValues() {}

  /** True if two values are equal; numbers are compared by value. */
  static boolean same(JsonNode one, JsonNode other) {
    return one == other || one.equals(DocumentValues::compare, other);
  }

  /** Returns zero for equal values; called for values that are not {@code equals}. */
  private static int compare(JsonNode one, JsonNode other) {
    boolean equal =
        one.isNumber() && other.isNumber()
            ? one.decimalValue().compareTo(other.decimalValue()) == 0
            : one.equals(other);
    return equal ? 0 : 1;
  }

  /** True if both are equal with numbers compared as written, so that 1 and 1.0 differ. */
  static boolean writtenAlike(JsonNode one, JsonNode other) {
    return one == other || one.equals(DocumentValues::compareText, other);
  }

  private static int compareText(JsonNode one, JsonNode other) {
    boolean equal =
        one.isNumber() && other.isNumber()
            ? one.asString().equals(other.asString())
            : one.equals(other);
    return equal ? 0 : 1;
  }

  /** Returns the value, or null if it is absent or JSON's null. */
  static @Nullable JsonNode present(@Nullable JsonNode value) {
    return value == null || value.isNull() || value.isMissingNode() ? null : value;
  }

  /** Returns a new object with the same members; the members are shared. */
  static ObjectNode shallowCopy(ObjectNode object) {
    ObjectNode copy = Json.object();
    copy.setAll(object);
    return copy;
  }

  /** Returns a new list with the same items; the items are shared. */
  static ArrayNode shallowCopy(ArrayNode list) {
    ArrayNode copy = Json.array();
    copy.addAll(list);
    return copy;
  }

  /** Returns the value without members that are null, at any depth: itself if there are none. */
  static JsonNode withoutNulls(JsonNode value) {
    return hasNulls(value) ? copyWithoutNulls(value) : value;
  }

  private static boolean hasNulls(JsonNode value) {
    for (JsonNode inner : value) {
      if (value.isObject() && inner.isNull() || inner.isContainer() && hasNulls(inner)) {
        return true;
      }
    }
    return false;
  }

  private static JsonNode copyWithoutNulls(JsonNode value) {
    return switch (value) {
      case ObjectNode object -> copyWithoutNulls(object);
      case ArrayNode list -> {
        ArrayNode copy = Json.array();
        list.forEach(item -> copy.add(copyWithoutNulls(item)));
        yield copy;
      }
      default -> value;
    };
  }

  private static ObjectNode copyWithoutNulls(ObjectNode object) {
    ObjectNode copy = Json.object();
    object
        .properties()
        .forEach(member -> {
          if (!member.getValue().isNull()) {
            copy.set(member.getKey(), copyWithoutNulls(member.getValue()));
          }
        });
    return copy;
  }
}
