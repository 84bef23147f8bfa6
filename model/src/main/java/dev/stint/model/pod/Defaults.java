package dev.stint.model.pod;

import dev.stint.model.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Sets default values of single fields. */
public final class Defaults {
  private Defaults() {}

  /** Sets the value if the text is missing or "". */
  public static void text(ObjectNode tree, String member, String value) {
    String found = Json.text(tree, member);
    if (found == null || found.isEmpty()) {
      tree.put(member, value);
    }
  }

  /** Sets the value if the text is missing; "" stays. */
  public static void optionalText(ObjectNode tree, String member, String value) {
    if (isMissing(tree, member)) {
      tree.put(member, value);
    }
  }

  public static void integer(ObjectNode tree, String member, long value) {
    if (isMissing(tree, member)) {
      if (value == (int) value) {
        tree.put(member, (int) value);
      } else {
        tree.put(member, value);
      }
    }
  }

  public static void bool(ObjectNode tree, String member, boolean value) {
    if (isMissing(tree, member)) {
      tree.put(member, value);
    }
  }

  static void object(ObjectNode tree, String member) {
    if (isMissing(tree, member)) {
      tree.putObject(member);
    }
  }

  private static boolean isMissing(ObjectNode tree, String member) {
    JsonNode found = tree.get(member);
    return found == null || found.isNull();
  }
}
