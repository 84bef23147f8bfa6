package dev.stint.cli.output;

import java.util.regex.Pattern;

/** Quotes words for a POSIX shell. */
public final class ShellQuoting {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:=@%+,-]+");

  private ShellQuoting() {}

  /** Quotes a word, if necessary, so that a shell reads it as one word. */
  public static String quoted(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
