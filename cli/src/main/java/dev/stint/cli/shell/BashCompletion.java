package dev.stint.cli.shell;

import picocli.AutoComplete;
import picocli.CommandLine;

/**
 * Makes the completion script for bash, and for zsh, which reads the same script. Picocli generates
 * the part for commands, flags and fixed values. The part for names comes first.
 */
final class BashCompletion {
  private BashCompletion() {}

  static String of(CommandLine stint) {
    return AutoComplete.bash("stint", stint)
        + CompletedNames.of(stint).completeScript("names.bash", "|");
  }

  /** Returns the script with the lines by which zsh finds it as a file {@code _stint}. */
  static String forZsh(CommandLine stint) {
    return """
    #compdef stint
    %s
    # zsh reads a file of completions when it first needs one, and wants that one, too.
    [[ "${funcstack[1]-}" != _stint ]] || _bash_complete -o default -F _stint
    """
        .formatted(of(stint));
  }
}
