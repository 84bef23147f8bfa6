package dev.stint.model.document;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** A parsed but undecoded value, with its lines and repeated members. */
sealed interface RawNode {
  /** Returns the line, counted from 1; 0 for a tree that was never text. */
  int line();

  record RawObject(int line, List<Member> members) implements RawNode {}

  record RawArray(int line, List<RawNode> items) implements RawNode {}

  /**
   * Text, a number, a boolean or null.
   *
   * @param text as it was written, for messages
   * @param json the JSON text, in which {@code 1e0} and {@code 1} differ
   */
  record RawValue(int line, JsonNode value, String text, String json) implements RawNode {
    RawValue(int line, JsonNode value, String text) {
      this(line, value, text, json(value));
    }

    /** Asks the JSON library to serialise only what is rare. */
    private static String json(JsonNode value) {
      return value.isString() || value.isIntegralNumber() ? value.asString() : value.toString();
    }
  }

  /** One member of an object; {@code line} is its name's. */
  record Member(String name, int line, RawNode value) {}

  /**
   * Merges the values of a repeated member: a later value replaces an earlier one, but objects keep
   * the members that only the earlier one has, and so do the items of lists. Each value is visited
   * once.
   *
   * @param values in the order of the text; not empty
   */
  static RawNode folded(List<RawNode> values) {
    RawNode last = values.getLast();
    return switch (last) {
      case RawObject object -> foldedObjects(lastOf(RawObject.class, values));
      case RawArray array -> foldedArrays(lastOf(RawArray.class, values));
      case RawValue value -> value;
    };
  }

  /**
   * Returns the trailing values of one form; a value of another form discards the ones before it.
   */
  private static <T extends RawNode> List<T> lastOf(Class<T> form, List<RawNode> values) {
    int from = values.size();
    while (from > 0 && form.isInstance(values.get(from - 1))) {
      from--;
    }
    return values.subList(from, values.size()).stream().map(form::cast).toList();
  }

  private static RawObject foldedObjects(List<RawObject> objects) {
    Map<String, List<Member>> found = new LinkedHashMap<>();
    for (RawObject object : objects) {
      for (Member member : object.members()) {
        found.computeIfAbsent(member.name(), name -> new ArrayList<>(1)).add(member);
      }
    }
    List<Member> members = new ArrayList<>(found.size());
    found.forEach((name, same) -> {
      RawNode value = folded(same.stream().map(Member::value).toList());
      members.add(new Member(name, same.getFirst().line(), value));
    });
    return new RawObject(objects.getFirst().line(), members);
  }

  private static RawArray foldedArrays(List<RawArray> arrays) {
    int size = arrays.getLast().items().size();
    List<RawNode> items = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      int from = arrays.size() - 1;
      while (from > 0 && arrays.get(from - 1).items().size() > i) {
        from--;
      }
      List<RawNode> same = new ArrayList<>(arrays.size() - from);
      for (RawArray array : arrays.subList(from, arrays.size())) {
        same.add(array.items().get(i));
      }
      items.add(folded(same));
    }
    return new RawArray(arrays.getFirst().line(), items);
  }

  /** Converts a tree to raw nodes. */
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
