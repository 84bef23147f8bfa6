package dev.stint.apiserver.access;

import dev.stint.model.Json;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** Reads members of documents leniently. */
final class RbacDocuments {
  private RbacDocuments() {}

  /** Returns the texts of a list, or the single text in its place; otherwise none. */
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

  /** Returns the text of a member, or "". */
  static String text(@Nullable JsonNode tree, String member) {
    String found = Json.text(tree, member);
    return found == null ? "" : found;
  }
}
