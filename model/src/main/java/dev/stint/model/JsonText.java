package dev.stint.model;

/**
 * Steps through JSON text as this program writes it: well-formed, in UTF-8, without blanks. Sees
 * where members begin and end, and reads nothing of what they hold.
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
