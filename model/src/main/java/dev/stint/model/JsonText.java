package dev.stint.model;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A cursor in JSON text as this program writes it: well-formed, in UTF-8, without blanks. It finds
 * the bounds of members, and parses only the requested ones.
 */
final class JsonText {
  final byte[] json;
  int at;

  /**
   * @param at the start position
   */
  JsonText(byte[] json, int at) {
    this.json = json;
    this.at = at;
  }

  /**
   * Returns a cursor at a member of a member of an object, and so on; at the end if there is none.
   */
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
   * Moves to the value of a member of the object at the cursor; false if there is no such member or
   * no object.
   */
  boolean enter(String member) {
    if (at >= json.length || json[at] != '{') {
      return false;
    }
    at++;
    while (isAtString()) {
      int name = at + 1;
      string();
      boolean found = equalsAscii(name, at - 1, member);
      at++; // The colon.
      if (found) {
        return true;
      }
      value();
      at++; // The comma, or the end of the object.
    }
    return false;
  }

  /** True if one of two texts is at that place. */
  boolean equalsAsciiOrElse(int start, int end, String one, String other) {
    return equalsAscii(start, end, one) || equalsAscii(start, end, other);
  }

  private boolean equalsAscii(int start, int end, String ascii) {
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

  /** Returns the string at the cursor; null if there is something else. */
  @Nullable String text() {
    if (!isAtString()) {
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

  /** Returns the strings of the array at the cursor; empty if there is something else. */
  List<String> texts() {
    List<String> texts = new ArrayList<>();
    if (at >= json.length || json[at] != '[') {
      return texts;
    }
    for (JsonText next = new JsonText(json, at + 1); next.isAtString(); next.at++) {
      texts.add(Objects.requireNonNull(next.text()));
    }
    return texts;
  }

  /**
   * Returns a text member of the first object, in the array at the cursor, whose other member is
   * true; null if there is none.
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

  /** Returns the object at the cursor; null if there is something else. */
  @Nullable ObjectNode object() {
    if (at >= json.length || json[at] != '{') {
      return null;
    }
    int start = at;
    value();
    return Json.parse(Arrays.copyOfRange(json, start, at));
  }

  /** True if a string begins at the cursor, such as the name of a member. */
  boolean isAtString() {
    return at < json.length && json[at] == '"';
  }

  /** Moves past a string, from quote to quote. */
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

  /** Moves past a value of any form. */
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
    } while (depth > 0 || next < text.length && !isEnd(text[next]));
    at = next;
  }

  private static boolean isEnd(byte next) {
    return next == ',' || next == '}' || next == ']';
  }
}
