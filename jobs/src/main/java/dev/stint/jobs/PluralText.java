package dev.stint.jobs;

import java.util.regex.Pattern;

/** Formats small texts for users. */
public final class PluralText {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:=@%+,-]+");

  private PluralText() {}

  /** Quotes a word so that a shell reads it as one word. */
  public static String quoted(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }

  /** Returns {@code 1 pod}, {@code 3 pods}. */
  public static String count(long count, String one, String several) {
    return count + " " + (count == 1 ? one : several);
  }

  /** Cuts a text to a length and marks the cut. */
  public static String cut(String text, int length) {
    return text.length() <= length ? text : text.substring(0, Math.max(0, length - 1)) + "…";
  }

  /** Cuts a list of indexes at a comma. */
  public static String indexes(String indexes, int length) {
    if (indexes.length() <= length) {
      return indexes;
    }
    int comma = indexes.lastIndexOf(',', length);
    return comma < 0 ? indexes : indexes.substring(0, comma) + ",…";
  }
}
