package dev.stint.model.field;

import java.util.Collection;
import java.util.TreeSet;

/** Turns of phrase that messages share. */
public final class Words {
  private static final int SHOWN = 60;

  private Words() {}

  /** {@code "never" is not one of Never, OnFailure}. */
  public static String notOneOf(String value, Collection<String> supported) {
    return quoted(value) + " is not one of " + String.join(", ", new TreeSet<>(supported));
  }

  /** The value in quotes, cut where it is long. */
  public static String quoted(String value) {
    return '"' + (value.length() <= SHOWN ? value : value.substring(0, SHOWN) + "...") + '"';
  }
}
