package dev.stint.cli.shell;

import dev.stint.cli.output.Console;
import dev.stint.cli.output.ExitCode;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * {@code stint completion SHELL}: prints a script that completes commands, flags and names of Jobs.
 */
@Command(
    name = "completion",
    description = "Print a shell script that completes commands, flags and names of Jobs.",
    footer = {
      "",
      "Examples:",
      "  source <(stint completion bash)",
      "  stint completion fish > ~/.config/fish/completions/stint.fish"
    })
public final class CompletionCommand implements Callable<Integer> {
  private final Console console;
  private final CommandLine stint;

  /** The values of its parameter. */
  public enum Shell {
    bash,
    zsh,
    fish
  }

  @Parameters(paramLabel = "bash|zsh|fish", description = "Shell to print the script for.")
  Shell shell = Shell.bash;

  public CompletionCommand(Console console, CommandLine stint) {
    this.console = console;
    this.stint = stint;
  }

  @Override
  public Integer call() {
    console
        .out()
        .print(
            switch (shell) {
              case bash -> BashCompletion.of(stint);
              case zsh -> BashCompletion.forZsh(stint);
              case fish -> FishCompletion.of(stint);
            });
    return ExitCode.OK.status();
  }
}
