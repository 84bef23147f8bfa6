package dev.stint.model.document;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
   * @param json as it is, or would be, written in JSON: there {@code 1e0} and {@code 1} differ
   */
  record RawValue(int line, JsonNode value, String text, String json) implements RawNode {
    RawValue(int line, JsonNode value, String text) {
      this(line, value, text, value.isString() ? value.stringValue() : value.toString());
    }
  }

  /** One member of an object; {@code line} is its name's. */
  record Member(String name, int line, RawNode value) {}

  /**
   * What a member holds that was written twice: a later value stands for an earlier one, but
   * objects keep the members that only the earlier one has, and so do the items of lists.
   */
  static RawNode merged(RawNode earlier, RawNode later) {
    if (earlier instanceof RawObject first && later instanceof RawObject second) {
      Map<String, Member> members = new LinkedHashMap<>();
      first.members().forEach(member -> members.put(member.name(), member));
      second
          .members()
          .forEach(member ->
              members.merge(
                  member.name(),
                  member,
                  (a, b) -> new Member(a.name(), a.line(), merged(a.value(), b.value()))));
      return new RawObject(first.line(), List.copyOf(members.values()));
    }
    if (earlier instanceof RawArray first && later instanceof RawArray second) {
      List<RawNode> items = new ArrayList<>(second.items());
      for (int i = 0; i < Math.min(items.size(), first.items().size()); i++) {
        items.set(i, merged(first.items().get(i), items.get(i)));
      }
      return new RawArray(first.line(), items);
    }
    return later;
  }

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
