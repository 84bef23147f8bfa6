package dev.stint.cli.location;

import dev.stint.embedded.data.DataDirectoryException;
import java.util.Arrays;
import java.util.Set;

/**
 * The process that has a data directory open, as the directory's lock names it.
 *
 * @param line {@code pid N, CLASS COMMAND FLAGS}
 */
public record DirectoryHolder(String line) {
  /** The main class of every command, before the command's name. */
  private static final String MAIN = "dev.stint.cli.Main";

  private static final Set<String> SERVERS = Set.of("up");

  /**
   * Commands that run Jobs until these have ended. Some of them read the directory before, for a
   * moment.
   */
  private static final Set<String> RUNNERS = Set.of("run", "rerun", "cronjob");

  /** True for an {@code up}, whose API is served over HTTPS. */
  boolean isServer() {
    return SERVERS.contains(command());
  }

  /** True if it serves its API to other commands, once it has started. */
  boolean serves() {
    return isServer() || handsOver();
  }

  /** True if it hands the directory over to an {@code up} that asks for it. */
  public boolean handsOver() {
    return RUNNERS.contains(command());
  }

  /**
   * True if it is a command that has the directory for a moment, or a process that is about to
   * write in the lock what it is.
   */
  boolean isPassing() {
    return line.equals(DataDirectoryException.UNNAMED_HOLDER) || !command().isEmpty() && !serves();
  }

  /** Returns the name of the command; empty if it is unknown. */
  private String command() {
    return Arrays.stream(line.split(" ", -1))
        .dropWhile(word -> !word.equals(MAIN))
        .skip(1)
        .filter(word -> !word.isEmpty() && !word.startsWith("-"))
        .findFirst()
        .orElse("");
  }

  /** Returns a text that contains the line, in words that users know. */
  static String readable(String text) {
    return text.replace(MAIN, "stint");
  }
}
