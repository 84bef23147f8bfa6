package dev.stint.runner.process.command;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** The shell scripts that start containers. */
public final class ShellScripts {
  public static final String SHIM = resource("shim.sh");
  public static final String ARRANGE = resource("arrange.sh");
  public static final String ENTER = resource("enter.sh");
  public static final String BECOME = resource("become.sh");

  public static final String ARRANGE_NAME = "stint-arrange";
  public static final String ENTER_NAME = "stint-enter";
  public static final String BECOME_NAME = "stint-become";

  /** The names that they run by, the first words after their text. */
  public static final List<String> NAMES =
      List.of(AttemptDir.SHIM_NAME, ARRANGE_NAME, ENTER_NAME, BECOME_NAME);

  private ShellScripts() {}

  private static String resource(String name) {
    try (InputStream stream =
        Objects.requireNonNull(ShellScripts.class.getResourceAsStream(name))) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }
}
