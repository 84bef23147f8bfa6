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
    at++;
    while (json[at] != '"') {
      at += json[at] == '\\' ? 2 : 1;
    }
    at++;
  }

  /** Steps over a value of any form. */
  void value() {
    int depth = 0;
    do {
      switch (json[at]) {
        case '"' -> {
          string();
          continue;
        }
        case '{', '[' -> depth++;
        case '}', ']' -> depth--;
        default -> {}
      }
      at++;
    } while (depth > 0 || at < json.length && !ends(json[at]));
  }

  private static boolean ends(byte next) {
    return next == ',' || next == '}' || next == ']';
  }
}
