package dev.stint.apiserver.access;

import dev.stint.model.Json;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** Reading of documents. */
final class RbacDocuments {
  private RbacDocuments() {}

  /** The texts of a list, or the one text that stands in its place; otherwise none. */
  static List<String> texts(@Nullable JsonNode tree, String member) {
    String alone = Json.text(tree, member);
    if (alone != null) {
      return List.of(alone);
    }
    List<String> texts = new ArrayList<>();
    ArrayNode found = Json.arrayAt(tree, member);
    if (found != null) {
      found.forEach(item -> {
        if (item.isString()) {
          texts.add(item.stringValue());
        }
      });
    }
    return texts;
  }

  /** The text of a member, or "". */
  static String text(@Nullable JsonNode tree, String member) {
    String found = Json.text(tree, member);
    return found == null ? "" : found;
  }
}
