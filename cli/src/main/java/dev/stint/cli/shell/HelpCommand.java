package dev.stint.cli.shell;

import dev.stint.cli.output.Console;
import dev.stint.cli.output.ExitCode;
import dev.stint.cli.output.UserException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code stint help [COMMAND]}. */
@Command(name = "help", description = "Show the help of a command.")
public final class HelpCommand implements Callable<Integer> {
  private final Console console;
  private final CommandLine stint;

  @Parameters(
      arity = "0..1",
      paramLabel = "COMMAND",
      description = "Command to explain (default: list all commands).")
  @Nullable String command;

  public HelpCommand(Console console, CommandLine stint) {
    this.console = console;
    this.stint = stint;
  }

  @Override
  public Integer call() {
    CommandLine about = command == null ? stint : stint.getSubcommands().get(command);
    if (about == null) {
      throw new UserException(
          "unknown command \""
              + command
              + "\"; the commands are "
              + String.join(", ", stint.getSubcommands().keySet()));
    }
    about.usage(console.out());
    return ExitCode.OK.status();
  }
}
