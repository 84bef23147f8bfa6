package dev.stint.model.document;

import java.nio.charset.StandardCharsets;

/**
 * Prepares YAML in flow style (in braces) as the API reads it: a tab counts as a space. The YAML
 * parser rejects tabs.
 */
final class YamlFlowStyle {
  private static final String BEFORE_A_VALUE = "{[,:?";

  private final StringBuilder text;
  private char quote;
  private char before = '{';

  private YamlFlowStyle(String text) {
    this.text = new StringBuilder(text);
  }

  /** Returns the text with spaces in place of unquoted tabs. */
  static byte[] withoutTabs(byte[] text) {
    YamlFlowStyle flow = new YamlFlowStyle(new String(text, StandardCharsets.UTF_8));
    for (int i = 0; i < flow.text.length(); i++) {
      i += flow.next(i);
    }
    return flow.text.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Processes one character, and returns the number of following characters to skip. */
  private int next(int at) {
    char c = text.charAt(at);
    if (quote != 0) {
      if (quote == '"' && c == '\\') {
        return 1;
      }
      quote = c == quote ? 0 : quote;
    } else if (c == '\t') {
      text.setCharAt(at, ' ');
    } else if (c == '"' || c == '\'') {
      quote = BEFORE_A_VALUE.indexOf(before) >= 0 ? c : 0;
      before = c;
    } else if (!Character.isWhitespace(c)) {
      before = c;
    }
    return 0;
  }
}
