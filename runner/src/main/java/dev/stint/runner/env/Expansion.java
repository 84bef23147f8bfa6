package dev.stint.runner.env;

import java.util.Map;

/**
 * Expands {@code $(VAR)} references in the command, the arguments and the environment values of one
 * container ("Use dependent environment variables", and the field documentation of a container's
 * {@code command}).
 *
 * <p>Variables may refer to earlier ones, so that each can be twice as long as the one before it.
 * The results are therefore limited, all together, and nothing is built beyond the limit.
 */
public final class Expansion {
  /** The limit of all results together, in bytes of UTF-8. */
  static final int LIMIT_BYTES = 2 << 20;

  private long left = LIMIT_BYTES;

  /**
   * Replaces {@code $(NAME)} by the variable's value; a reference to an unknown variable stays as
   * it is, and {@code $$} stands for one dollar that begins no reference.
   */
  String expand(String text, Map<String, String> variables) throws ExpansionLimitException {
    int dollar = text.indexOf('$');
    if (dollar < 0) {
      count(text);
      return text;
    }
    StringBuilder expanded = new StringBuilder();
    int lastClose = text.lastIndexOf(')');
    int at = 0;
    while (dollar >= 0 && dollar + 1 < text.length()) {
      append(expanded, text.substring(at, dollar));
      char next = text.charAt(dollar + 1);
      if (next == '(' && dollar < lastClose) {
        int close = text.indexOf(')', dollar + 2);
        String reference = text.substring(dollar, close + 1);
        append(expanded, variables.getOrDefault(text.substring(dollar + 2, close), reference));
        at = close + 1;
      } else {
        append(expanded, "$");
        at = dollar + (next == '$' ? 2 : 1);
      }
      dollar = text.indexOf('$', at);
    }
    append(expanded, text.substring(at));
    return expanded.toString();
  }

  /**
   * Counts a text that is not expanded.
   *
   * @throws ExpansionLimitException the limit is exceeded with it
   */
  void count(String text) throws ExpansionLimitException {
    // A char takes one byte at least.
    if (text.length() > left) {
      throw new ExpansionLimitException();
    }
    long bytes = Utf8.length(text);
    if (bytes > left) {
      throw new ExpansionLimitException();
    }
    left -= bytes;
  }

  private void append(StringBuilder expanded, String part) throws ExpansionLimitException {
    count(part);
    expanded.append(part);
  }
}
