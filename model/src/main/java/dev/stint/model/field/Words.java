package dev.stint.model.field;

import java.util.Collection;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Turns of phrase that messages share. */
public final class Words {
  private static final int SHOWN = 60;

  private Words() {}

  /** {@code "never": supported values: "Never", "OnFailure"}. */
  public static String notOneOf(String value, Collection<String> supported) {
    return quoted(value)
        + ": supported values: "
        + new TreeSet<>(supported).stream().map(Words::quoted).collect(Collectors.joining(", "));
  }

  /** The value in quotes, cut where it is long. */
  public static String quoted(String value) {
    return '"' + (value.length() <= SHOWN ? value : value.substring(0, SHOWN) + "...") + '"';
  }
}
