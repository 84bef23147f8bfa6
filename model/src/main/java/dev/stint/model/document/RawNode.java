package dev.stint.model.document;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * What was written, before anybody asked whether it makes sense: lines and repeated members kept.
 */
sealed interface RawNode {
  /** The line, counted from 1; 0 for a tree that never was text. */
  int line();

  record RawObject(int line, List<Member> members) implements RawNode {}

  record RawArray(int line, List<RawNode> items) implements RawNode {}

  /**
   * Text, a number, a boolean or null.
   *
   * @param text as it was written, for messages
   */
  record RawValue(int line, JsonNode value, String text) implements RawNode {}

  /** One member of an object; {@code line} is its name's. */
  record Member(String name, int line, RawNode value) {}

  /** The same tree in this form. */
  static RawNode of(JsonNode tree) {
    if (tree.isObject()) {
      List<Member> members = new ArrayList<>();
      tree.properties().forEach(p -> members.add(new Member(p.getKey(), 0, of(p.getValue()))));
      return new RawObject(0, members);
    }
    if (tree.isArray()) {
      List<RawNode> items = new ArrayList<>();
      tree.forEach(item -> items.add(of(item)));
      return new RawArray(0, items);
    }
    return new RawValue(0, tree, tree.isString() ? tree.stringValue() : tree.toString());
  }
}
