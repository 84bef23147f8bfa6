package dev.stint.apiextensions.value;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Makes texts that are equal if two values are. As keys of a hash table they stay fast even if
 * somebody chose values with equal hashes: the table sorts such texts, but would compare each value
 * with all others.
 */
public final class ValueIdentity {
  private final StringBuilder text = new StringBuilder();

  private ValueIdentity() {}

  /** Returns the identity of a value. */
  public static String of(JsonNode value) {
    ValueIdentity identity = new ValueIdentity();
    identity.add(value);
    return identity.text.toString();
  }

  /** Returns the identity of an item by some of its members, which it need not have. */
  static String of(JsonNode item, Iterable<String> keys) {
    ValueIdentity identity = new ValueIdentity();
    keys.forEach(key -> identity.addMember(item.get(key)));
    return identity.text.toString();
  }

  private void addMember(@Nullable JsonNode value) {
    if (value == null) {
      text.append('-');
    } else {
      add(value);
    }
  }

  private void add(JsonNode value) {
    switch (value.getNodeType()) {
      case STRING -> add(value.stringValue());
      case ARRAY -> {
        text.append('[');
        value.forEach(this::add);
        text.append(']');
      }
      case OBJECT -> {
        text.append('{');
        sorted(value)
            .forEach((name, member) -> {
              add(name);
              add(member);
            });
        text.append('}');
      }
      default -> text.append(value).append(';');
    }
  }

  private void add(String part) {
    text.append(ofText(part));
  }

  /** Returns a text with its length, so that no text can be taken for two. */
  public static String ofText(String part) {
    return "\"" + part.length() + ":" + part;
  }

  private static Map<String, JsonNode> sorted(JsonNode object) {
    Map<String, JsonNode> members = new TreeMap<>();
    object.forEachEntry(members::put);
    return members;
  }
}
