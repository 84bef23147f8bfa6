package dev.stint.cli.shell;

import picocli.AutoComplete;
import picocli.CommandLine;

/**
 * Completion for bash, and for zsh, which reads the same script. The parser's own library completes
 * commands, flags and fixed values; the rest is put before it.
 */
final class BashCompletion {
  private BashCompletion() {}

  static String of(CommandLine stint) {
    return AutoComplete.bash("stint", stint)
        + CompletedNames.of(stint).completeScript("names.bash", "|");
  }
}
