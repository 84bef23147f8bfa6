package dev.stint.cli.shell;

import dev.stint.cli.output.Console;
import dev.stint.cli.output.ExitCode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** {@code stint version}. */
@Command(name = "version", description = "Show the versions of Stint and Java.")
public final class VersionCommand implements Callable<Integer> {
  private final Console console;

  public VersionCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    console.out().println(text());
    return ExitCode.OK.status();
  }

  private static String text() {
    return "stint %s (Java %s)".formatted(version(), Runtime.version());
  }

  /** The version as a flag. */
  public static final class Provider implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {text()};
    }
  }

  /** Returns the version, such as {@code 0.1.0}. */
  static String version() {
    try (InputStream text = VersionCommand.class.getResourceAsStream("version.txt")) {
      return new String(Objects.requireNonNull(text).readAllBytes(), StandardCharsets.UTF_8)
          .strip();
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }
}
