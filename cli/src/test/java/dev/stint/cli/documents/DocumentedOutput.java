package dev.stint.cli.documents;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Compares the output in a document with that of commands. {@code …} matches anything. A duration,
 * a rate or a port of this machine matches any other, since they differ from run to run. Runs of
 * spaces match at any length, since the width of columns depends on their contents.
 */
final class DocumentedOutput {
  private static final Pattern VARYING =
      Pattern.compile(
          "(?<any>…)|(?<space> +)|(?<rate>\\b\\d+(\\.\\d+)?/s)"
              + "|(?<duration>\\b(\\d+(\\.\\d+)?(ms|[smhd]))+\\b)|(?<address>\\b127\\.0\\.0\\.1:\\d+)");

  private DocumentedOutput() {}

  /**
   * Returns the lines that were not printed.
   *
   * @param lines the lines in the document; blank ones, and those with only {@code …}, need not be
   *     printed
   * @param printed the whole output
   */
  static List<String> missing(List<String> lines, String printed) {
    List<String> found = printed.lines().map(String::stripTrailing).toList();
    return lines.stream()
        .map(String::stripTrailing)
        .filter(line -> !line.isEmpty() && !line.strip().equals("…"))
        .filter(line -> found.stream().noneMatch(pattern(line).asMatchPredicate()))
        .toList();
  }

  private static Pattern pattern(String line) {
    StringBuilder pattern = new StringBuilder();
    Matcher varying = VARYING.matcher(line);
    int end = 0;
    while (varying.find()) {
      pattern.append(literally(line.substring(end, varying.start()))).append(anyLike(varying));
      end = varying.end();
    }
    return Pattern.compile(pattern.append(literally(line.substring(end))).toString());
  }

  private static String anyLike(Matcher varying) {
    if (varying.group("any") != null) {
      return ".*";
    } else if (varying.group("space") != null) {
      return " +";
    } else if (varying.group("rate") != null) {
      return "[\\d.]+/s";
    } else if (varying.group("duration") != null) {
      return "<?[\\d.hms ]*[hmsd]";
    }
    return "127\\.0\\.0\\.1:\\d+";
  }

  private static String literally(String text) {
    return text.isEmpty() ? "" : Pattern.quote(text);
  }
}
