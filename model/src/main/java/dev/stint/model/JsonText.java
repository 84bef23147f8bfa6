package dev.stint.model;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Steps through JSON text as this program writes it: well-formed, in UTF-8, without blanks. Sees
 * where members begin and end, and reads of what they hold only what is asked for.
 */
final class JsonText {
  final byte[] json;
  int at;

  /**
   * @param at where to begin
   */
  JsonText(byte[] json, int at) {
    this.json = json;
    this.at = at;
  }

  /** At a member of a member of an object, and so on; at the end where there is none. */
  static JsonText in(byte[] json, String... path) {
    JsonText text = new JsonText(json, 0);
    for (String member : path) {
      if (!text.enter(member)) {
        text.at = json.length;
      }
    }
    return text;
  }

  /**
   * Steps into the object that begins here, to the value of a member; false where there is none, or
   * no object.
   */
  boolean enter(String member) {
    if (at >= json.length || json[at] != '{') {
      return false;
    }
    at++;
    while (atString()) {
      int name = at + 1;
      string();
      boolean found = is(name, at - 1, member);
      at++; // The colon.
      if (found) {
        return true;
      }
      value();
      at++; // The comma, or the end of the object.
    }
    return false;
  }

  /** Whether one of two texts stands there. */
  boolean is(int start, int end, String one, String other) {
    return is(start, end, one) || is(start, end, other);
  }

  private boolean is(int start, int end, String ascii) {
    if (end - start != ascii.length()) {
      return false;
    }
    for (int i = 0; i < ascii.length(); i++) {
      if (json[start + i] != ascii.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** The text that begins here; null where something else does. */
  @Nullable String text() {
    if (!atString()) {
      return null;
    }
    int start = at;
    string();
    for (int i = start; i < at; i++) {
      if (json[i] == '\\') {
        return Json.read(Arrays.copyOfRange(json, start, at)).stringValue();
      }
    }
    return new String(json, start + 1, at - start - 2, StandardCharsets.UTF_8);
  }

  /** The texts of the array that begins here; none where something else does. */
  List<String> texts() {
    List<String> texts = new ArrayList<>();
    if (at >= json.length || json[at] != '[') {
      return texts;
    }
    for (JsonText next = new JsonText(json, at + 1); next.atString(); next.at++) {
      texts.add(Objects.requireNonNull(next.text()));
    }
    return texts;
  }

  /**
   * Of the first object in the array that begins here of which something is true, a text; null
   * where there is none.
   */
  @Nullable String textOfFirst(String trueMember, String member) {
    for (int start = at + 1; start < json.length && json[start] == '{'; start++) {
      JsonText object = new JsonText(json, start);
      if (object.enter(trueMember) && json[object.at] == 't') {
        JsonText same = new JsonText(json, start);
        return same.enter(member) ? same.text() : null;
      }
      object.at = start;
      object.value();
      start = object.at;
    }
    return null;
  }

  /** The object that begins here; null where something else does. */
  @Nullable ObjectNode object() {
    if (at >= json.length || json[at] != '{') {
      return null;
    }
    int start = at;
    value();
    return Json.parse(Arrays.copyOfRange(json, start, at));
  }

  /** Whether a text begins here, such as the name of a member. */
  boolean atString() {
    return at < json.length && json[at] == '"';
  }

  /** Steps over a text, from quote to quote. */
  void string() {
    at = afterString(json, at);
  }

  private static int afterString(byte[] json, int start) {
    int at = start + 1;
    while (json[at] != '"') {
      at += json[at] == '\\' ? 2 : 1;
    }
    return at + 1;
  }

  /** Steps over a value of any form. */
  void value() {
    byte[] text = json;
    int depth = 0;
    int next = at;
    do {
      switch (text[next]) {
        case '"' -> {
          next = afterString(text, next);
          continue;
        }
        case '{', '[' -> depth++;
        case '}', ']' -> depth--;
        default -> {}
      }
      next++;
    } while (depth > 0 || next < text.length && !ends(text[next]));
    at = next;
  }

  private static boolean ends(byte next) {
    return next == ',' || next == '}' || next == ']';
  }
}
