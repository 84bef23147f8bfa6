package dev.stint.cli.output;

import java.security.SecureRandom;

/**
 * Text for a terminal. Control characters in names, messages and all other text of others are
 * written as {@code \}{@code u001b}, so that they cannot move the cursor or change what is shown;
 * line breaks and tabs stay. In JSON and in quoted YAML this is the same text.
 *
 * <p>The sequences of our own commands are marked by two characters that nobody can guess.
 */
public final class TerminalText {
  private static final String MARK = mark();

  /** The distance of a control character from the letter that stands for it. */
  private static final int LETTERS = 0x40;

  private TerminalText() {}

  private static String mark() {
    SecureRandom random = new SecureRandom();
    return Character.toString(0xF0000 + random.nextInt(0xFFFE))
        + Character.toString(0x100000 + random.nextInt(0xFFFE));
  }

  /** Returns a sequence of our own, which reaches the terminal. */
  public static String sequence(String controls) {
    StringBuilder marked = new StringBuilder();
    for (int i = 0; i < controls.length(); i++) {
      char c = controls.charAt(i);
      if (c < ' ') {
        marked.append(MARK).append((char) (c + LETTERS));
      } else {
        marked.append(c);
      }
    }
    return marked.toString();
  }

  /** Returns what is printed for a text. */
  public static String printed(String text) {
    String escaped = escaped(text);
    int at = escaped.indexOf(MARK);
    if (at < 0) {
      return escaped;
    }
    StringBuilder printed = new StringBuilder();
    int from = 0;
    while (at >= 0 && at + MARK.length() < escaped.length()) {
      printed.append(escaped, from, at);
      printed.append((char) (escaped.charAt(at + MARK.length()) - LETTERS));
      from = at + MARK.length() + 1;
      at = escaped.indexOf(MARK, from);
    }
    return printed.append(escaped, from, escaped.length()).toString();
  }

  /** Returns a text with its control characters escaped, but for line breaks and tabs. */
  public static String escaped(String text) {
    if (text.chars().noneMatch(TerminalText::isControl)) {
      return text;
    }
    StringBuilder escaped = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (isControl(c)) {
        escaped.append("\\u%04x".formatted((int) c));
      } else {
        escaped.append(c);
      }
    }
    return escaped.toString();
  }

  /** Returns a text on one line, with its control characters escaped. */
  static String oneLine(String text) {
    return escaped(text).replace("\n", "\\n").replace("\t", " ");
  }

  /**
   * True for C0 and C1 characters but line breaks and tabs, and for those that turn text around.
   */
  private static boolean isControl(int c) {
    return c < ' ' && c != '\n' && c != '\t'
        || c >= 0x7f && c < 0xa0
        || c >= 0x2028 && c <= 0x202e
        || c >= 0x2066 && c <= 0x2069;
  }
}
