package dev.stint.runner.env;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * A file of environment variables, such as an init container writes ("Define Environment Variable
 * Values Using An Init Container"). Each variable is {@code NAME='value'}. All between the quotes
 * is the value, line ends too. Space at the beginning of a line, around the equals sign and after
 * the value has no meaning; empty lines and those that begin with {@code #} are skipped.
 */
final class EnvFile {
  private final String name;
  private final String text;
  private int at;

  /**
   * @param name names the file in messages
   */
  EnvFile(String name, String text) {
    this.name = name;
    this.text = text;
  }

  /** Returns the values of those variables that are there. The last one of a name counts. */
  Map<String, String> values(Set<String> names) throws EnvFileException {
    Map<String, String> found = new HashMap<>();
    at = 0;
    for (skipToVariable(); at < text.length(); skipToVariable()) {
      String variable = variable();
      String value = value();
      if (names.contains(variable)) {
        found.put(variable, value);
      }
    }
    return found;
  }

  /** Skips space, empty lines and comments. */
  private void skipToVariable() {
    while (at < text.length() && (Character.isWhitespace(text.charAt(at)) || isAt('#'))) {
      if (isAt('#')) {
        int end = text.indexOf('\n', at);
        at = end < 0 ? text.length() : end;
      } else {
        at++;
      }
    }
  }

  private String variable() throws EnvFileException {
    int end = at;
    while (end < text.length() && "=\n".indexOf(text.charAt(end)) < 0) {
      end++;
    }
    String variable = text.substring(at, end).stripTrailing();
    if (end == text.length() || text.charAt(end) != '=' || variable.isEmpty()) {
      throw fault("a line is not NAME='value'");
    }
    at = end + 1;
    skipSpace();
    return variable;
  }

  private String value() throws EnvFileException {
    int end = isAt('\'') ? text.indexOf('\'', at + 1) : -1;
    if (end < 0) {
      throw fault("a value is not in single quotes");
    }
    String value = text.substring(at + 1, end);
    at = end + 1;
    skipSpace();
    if (at < text.length() && !isAt('\n')) {
      throw fault("a value is followed by more than the end of its line");
    }
    return value;
  }

  private void skipSpace() {
    while (at < text.length() && " \t\r".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private boolean isAt(char wanted) {
    return at < text.length() && text.charAt(at) == wanted;
  }

  private EnvFileException fault(String what) {
    long line = 1 + text.substring(0, at).chars().filter(each -> each == '\n').count();
    return new EnvFileException("%s, line %d: %s".formatted(name, line, what));
  }
}
