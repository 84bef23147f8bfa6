package dev.stint.apiserver.strategy;

import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Compares documents. */
public final class SemanticEquality {
  private SemanticEquality() {}

  /**
   * True if two documents are equal. Shared parts cost nothing; numbers are compared by value, as
   * the same number may be an int in one and a long in the other.
   */
  public static boolean areEqual(@Nullable JsonNode a, @Nullable JsonNode b) {
    if (a == b) {
      return true;
    }
    if (a == null || b == null || a.size() != b.size()) {
      return false;
    }
    if (a.isObject() && b.isObject()) {
      return sameMembers(a, b);
    }
    if (a.isArray() && b.isArray()) {
      return sameElements(a, b);
    }
    return a.isNumber() && b.isNumber()
        ? a.decimalValue().compareTo(b.decimalValue()) == 0
        : a.equals(b);
  }

  private static boolean sameMembers(JsonNode a, JsonNode b) {
    for (Map.Entry<String, JsonNode> member : a.properties()) {
      JsonNode other = b.get(member.getKey());
      if (other == null || !areEqual(member.getValue(), other)) {
        return false;
      }
    }
    return true;
  }

  private static boolean sameElements(JsonNode a, JsonNode b) {
    Iterator<JsonNode> others = b.iterator();
    for (JsonNode element : a) {
      if (!areEqual(element, others.next())) {
        return false;
      }
    }
    return true;
  }
}
