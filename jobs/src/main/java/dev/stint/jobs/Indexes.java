package dev.stint.jobs;

import dev.stint.model.index.IndexSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses completion indexes as users write them, in any order: {@code 3}, {@code 3,7-9}. */
public final class Indexes {
  private static final Pattern PART = Pattern.compile("(\\d{1,9})(?:-(\\d{1,9}))?");

  private Indexes() {}

  /**
   * Parses a list of indexes and ranges.
   *
   * @throws IllegalArgumentException with a message for the user if the text is malformed
   */
  public static IndexSet parse(String text) {
    IndexSet.Builder indexes = IndexSet.builder();
    for (String part : text.split(",", -1)) {
      Matcher range = PART.matcher(part.strip());
      if (!range.matches()) {
        throw new IllegalArgumentException(
            "\"" + text + "\" is not a list of indexes, such as 3,7-9");
      }
      int first = Integer.parseInt(range.group(1));
      int last = range.group(2) == null ? first : Integer.parseInt(range.group(2));
      if (last < first) {
        throw new IllegalArgumentException("\"" + part.strip() + "\" ends before it starts");
      }
      indexes.addRange(first, last);
    }
    return indexes.build();
  }
}
