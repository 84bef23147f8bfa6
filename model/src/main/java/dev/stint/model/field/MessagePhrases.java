package dev.stint.model.field;

import java.util.Collection;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Phrases that messages share. */
public final class MessagePhrases {
  private static final int SHOWN = 60;

  private MessagePhrases() {}

  /** Returns text such as {@code "never": supported values: "Never", "OnFailure"}. */
  public static String notOneOf(String value, Collection<String> supported) {
    return quoted(value)
        + ": supported values: "
        + new TreeSet<>(supported)
            .stream().map(MessagePhrases::quoted).collect(Collectors.joining(", "));
  }

  /** Returns the value in quotes, cut if it is long. */
  public static String quoted(String value) {
    return '"' + (value.length() <= SHOWN ? value : value.substring(0, SHOWN) + "...") + '"';
  }

  /** Returns the value in quotes as Go writes it in messages, never cut. */
  public static String goQuoted(String value) {
    StringBuilder quoted = new StringBuilder(value.length() + 2).append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '"', '\\' -> quoted.append('\\').append(c);
        case '\n' -> quoted.append("\\n");
        case '\t' -> quoted.append("\\t");
        case '\r' -> quoted.append("\\r");
        default -> quoted.append(c < ' ' ? "\\x%02x".formatted((int) c) : c);
      }
    }
    return quoted.append('"').toString();
  }
}
