package dev.stint.cli.shell;

import dev.stint.cli.output.Console;
import dev.stint.cli.output.ExitCode;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code stint man}: prints all commands as a page for {@code man}. */
@Command(
    name = "man",
    description = "Print a man page of all commands and flags.",
    footer = {"", "Example:", "  stint man > /usr/local/share/man/man1/stint.1"})
public final class ManCommand implements Callable<Integer> {
  private final Console console;
  private final CommandLine stint;

  public ManCommand(Console console, CommandLine stint) {
    this.console = console;
    this.stint = stint;
  }

  @Override
  public Integer call() {
    console.out().print(CommandReference.man(stint, VersionCommand.version()));
    return ExitCode.OK.status();
  }
}
