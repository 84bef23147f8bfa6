package dev.stint.jobs;

import dev.stint.model.index.IndexSet;

/** Formats short texts for users: counts with their noun, and texts that are cut to a length. */
public final class DisplayText {
  private DisplayText() {}

  /** Returns {@code 1 pod}, {@code 3 pods}. */
  public static String count(long count, String one, String several) {
    return count + " " + (count == 1 ? one : several);
  }

  /** Cuts a text to a length and marks the cut. */
  public static String cut(String text, int length) {
    return text.length() <= length ? text : text.substring(0, Math.max(0, length - 1)) + "…";
  }

  /** Returns {@code index 3} or {@code indexes 3,7-9}; a long list is cut at a comma. */
  public static String namedIndexes(IndexSet indexes, int length) {
    return (indexes.size() == 1 ? "index " : "indexes ") + indexes(indexes.toString(), length);
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
