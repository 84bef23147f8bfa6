package dev.stint.jobs;

import java.util.regex.Pattern;

/** Small texts for people. */
public final class PluralText {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:=@%+,-]+");

  private PluralText() {}

  /** A word as a shell takes it for one. */
  public static String quoted(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }

  /** {@code 1 pod}, {@code 3 pods}. */
  public static String count(long count, String one, String several) {
    return count + " " + (count == 1 ? one : several);
  }

  /** A text cut to a length, its end marked where something is missing. */
  public static String cut(String text, int length) {
    return text.length() <= length ? text : text.substring(0, Math.max(0, length - 1)) + "…";
  }

  /** A list of indexes, cut at a comma. */
  public static String indexes(String indexes, int length) {
    if (indexes.length() <= length) {
      return indexes;
    }
    int comma = indexes.lastIndexOf(',', length);
    return comma < 0 ? indexes : indexes.substring(0, comma) + ",…";
  }
}
