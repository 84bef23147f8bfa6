package dev.stint.apiextensions.schema;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A path of names, such as {@code .spec.labels['example.com/app']}.
 *
 * @param names never empty
 */
public record SimplePath(List<String> names) {

  /** Parses a path; null if the text is not a path. */
  public static @Nullable SimplePath parse(String text) {
    List<String> names = new ArrayList<>();
    int at = 0;
    while (at < text.length()) {
      int end = text.startsWith("['", at) ? quotedEnd(text, at) : nameEnd(text, at);
      if (end < 0) {
        return null;
      }
      names.add(
          text.charAt(at) == '[' ? text.substring(at + 2, end - 2) : text.substring(at + 1, end));
      at = end;
    }
    return names.isEmpty() ? null : new SimplePath(List.copyOf(names));
  }

  private static int quotedEnd(String text, int at) {
    int quote = text.indexOf("']", at + 2);
    return quote <= at + 2 ? -1 : quote + 2;
  }

  private static int nameEnd(String text, int at) {
    if (text.charAt(at) != '.') {
      return -1;
    }
    int end = at + 1;
    while (end < text.length() && isOfName(text.charAt(end))) {
      end++;
    }
    return end == at + 1 ? -1 : end;
  }

  private static boolean isOfName(char c) {
    return c == '_' || c == '-' || c == '$' || Character.isLetterOrDigit(c) && c < 128;
  }

  /** Returns the schema to which the path leads; null if there is none. Lists have no names. */
  public @Nullable JsonSchema find(JsonSchema from) {
    JsonSchema at = from;
    for (String name : names) {
      at = at == null ? null : at.member(name);
    }
    return at;
  }
}
