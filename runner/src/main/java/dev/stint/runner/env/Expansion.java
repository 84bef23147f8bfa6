package dev.stint.runner.env;

import java.util.Map;

/**
 * Expands {@code $(VAR)} references in commands, arguments and environment values ("Use dependent
 * environment variables", and the field documentation of a container's {@code command}).
 */
public final class Expansion {
  private Expansion() {}

  /**
   * Replaces {@code $(NAME)} by the variable's value; a reference to an unknown variable stays as
   * it is, and {@code $$} stands for one dollar that begins no reference.
   */
  public static String expand(String text, Map<String, String> variables) {
    int dollar = text.indexOf('$');
    if (dollar < 0) {
      return text;
    }
    StringBuilder expanded = new StringBuilder();
    int at = 0;
    while (dollar >= 0 && dollar + 1 < text.length()) {
      expanded.append(text, at, dollar);
      char next = text.charAt(dollar + 1);
      int close = next == '(' ? text.indexOf(')', dollar + 2) : -1;
      if (close >= 0) {
        String reference = text.substring(dollar, close + 1);
        expanded.append(variables.getOrDefault(text.substring(dollar + 2, close), reference));
        at = close + 1;
      } else if (next == '$') {
        expanded.append('$');
        at = dollar + 2;
      } else {
        expanded.append('$');
        at = dollar + 1;
      }
      dollar = text.indexOf('$', at);
    }
    return expanded.append(text, at, text.length()).toString();
  }
}
