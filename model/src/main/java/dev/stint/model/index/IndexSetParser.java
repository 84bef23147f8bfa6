package dev.stint.model.index;

import dev.stint.model.index.IndexSet.FormatException;

/** Parses the text form of index sets, in one pass without splitting the text. */
final class IndexSetParser {
  private final String text;
  private final IndexSet.Builder indexes = IndexSet.builder();
  private int at;
  private long highest = -1;

  IndexSetParser(String text) {
    this.text = text;
  }

  IndexSet readStrictly() throws FormatException {
    while (at < text.length() || at > 0 && text.charAt(at - 1) == ',') {
      interval();
      if (at < text.length() && text.charAt(at++) != ',') {
        throw new FormatException("expected a comma or a hyphen at position " + at);
      }
    }
    return indexes.build();
  }

  IndexSet readSoundPart() {
    try {
      return readStrictly();
    } catch (FormatException corrupt) {
      return indexes.build();
    }
  }

  static IndexSet salvage(String text) {
    try {
      return new IndexSetParser(text).readStrictly();
    } catch (FormatException corrupt) {
      return readableParts(text);
    }
  }

  private static IndexSet readableParts(String text) {
    IndexSet.Builder indexes = IndexSet.builder();
    for (String interval : text.split(",", -1)) {
      try {
        indexes.addAll(new IndexSetParser(interval).readStrictly());
      } catch (FormatException corrupt) {
        // Skipped: a corrupt interval must not hide the others (KEP-4368, Job status validation).
      }
    }
    return indexes.build();
  }

  private void interval() throws FormatException {
    int first = number();
    int last = first;
    if (at < text.length() && text.charAt(at) == '-') {
      at++;
      last = number();
      if (last <= first) {
        throw new FormatException("\"" + first + "-" + last + "\" is not an increasing range");
      }
    }
    if (first <= highest) {
      throw new FormatException(
          first == highest
              ? "index " + first + " is listed twice"
              : "index " + first + " comes after " + highest + "; indexes must increase");
    }
    highest = last;
    indexes.addRange(first, last);
  }

  /** Parses digits, before which Kubernetes accepts a plus sign. */
  private int number() throws FormatException {
    if (at < text.length() && text.charAt(at) == '+') {
      at++;
    }
    int start = at;
    long value = 0;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      value = value * 10 + (text.charAt(at++) - '0');
      if (value > Integer.MAX_VALUE) {
        throw new FormatException("an index is above " + Integer.MAX_VALUE);
      }
    }
    if (at == start) {
      throw new FormatException(
          start == text.length()
              ? "expected a number at the end"
              : "\"" + text.charAt(start) + "\" at position " + (start + 1) + " is not a number");
    }
    return (int) value;
  }
}
