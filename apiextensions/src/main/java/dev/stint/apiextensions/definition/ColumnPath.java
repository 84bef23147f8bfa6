package dev.stint.apiextensions.definition;

/** The form of a column's JSON path: balanced brackets and quotes, and names between dots. */
final class ColumnPath {
  private ColumnPath() {}

  /** Returns what is wrong with a path; "" if nothing is. */
  static String fault(String path) {
    if (!path.startsWith(".") && !path.startsWith("[")) {
      return "is an invalid JSON path: must begin with '.' or '['";
    }
    int depth = 0;
    char quote = 0;
    for (int i = 0; i < path.length(); i++) {
      char c = path.charAt(i);
      if (c == '\\') {
        i++;
      } else if (quote != 0) {
        quote = c == quote ? 0 : quote;
      } else if (depth > 0 && (c == '\'' || c == '"')) {
        quote = c;
      } else if (c == '[' || c == '(') {
        depth++;
      } else if (c == ']' || c == ')') {
        depth--;
      } else if (depth == 0 && (Character.isWhitespace(c) || c == '{' || c == '}')) {
        return "is an invalid JSON path: unrecognized character in action: '" + c + "'";
      }
      if (depth < 0) {
        return "is an invalid JSON path: unexpected '" + c + "'";
      }
    }
    if (quote != 0) {
      return "is an invalid JSON path: unterminated quoted string";
    }
    return depth == 0 ? "" : "is an invalid JSON path: unterminated array";
  }
}
