package dev.stint.cli.output;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Quotes words for a POSIX shell. */
public final class ShellQuoting {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:=@%+,-]+");

  private ShellQuoting() {}

  /** Quotes words, and separates them by spaces. */
  public static String quoted(List<String> words) {
    return words.stream().map(ShellQuoting::quoted).collect(Collectors.joining(" "));
  }

  /** Returns a flag and its value, with a space before each; empty if the value is null. */
  public static String flag(String name, @Nullable Object value) {
    return value == null ? "" : " " + name + " " + quoted(value.toString());
  }

  /** Quotes a word, if necessary, so that a shell reads it as one word. */
  public static String quoted(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
