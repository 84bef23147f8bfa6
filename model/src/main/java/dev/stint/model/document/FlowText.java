package dev.stint.model.document;

import java.nio.charset.StandardCharsets;

/** YAML in braces, as the API reads it: there a tab is a space. The parser knows none. */
final class FlowText {
  private static final String BEFORE_A_VALUE = "{[,:?";

  private final StringBuilder text;
  private char quote;
  private char before = '{';

  private FlowText(String text) {
    this.text = new StringBuilder(text);
  }

  /** The text with spaces in the place of tabs that are not in quotes. */
  static byte[] withoutTabs(byte[] text) {
    FlowText flow = new FlowText(new String(text, StandardCharsets.UTF_8));
    for (int i = 0; i < flow.text.length(); i++) {
      i += flow.next(i);
    }
    return flow.text.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Looks at one character, and tells how many after it say nothing. */
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
