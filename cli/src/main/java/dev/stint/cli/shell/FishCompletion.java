package dev.stint.cli.shell;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Completion for fish, which the parser's own library lacks. */
final class FishCompletion {
  private FishCompletion() {}

  static String of(CommandLine stint) {
    List<String> lines = new ArrayList<>();
    lines.add("# Completion of stint for fish.");
    lines.add("complete -c stint -n __fish_use_subcommand -f");
    stint
        .getSubcommands()
        .forEach((name, command) -> {
          lines.add(
              "complete -c stint -n __fish_use_subcommand -a %s -d %s"
                  .formatted(name, quoted(CommandReference.summary(command))));
        });
    stint
        .getSubcommands()
        .forEach((name, command) ->
            command.getCommandSpec().options().forEach(option -> lines.add(line(name, option))));
    return String.join("\n", lines)
        + "\n"
        + CompletedNames.of(stint).completeScript("names.fish", " ");
  }

  private static String line(String command, OptionSpec option) {
    StringBuilder line = new StringBuilder();
    line.append("complete -c stint -n '__fish_seen_subcommand_from ").append(command).append("'");
    for (String name : option.names()) {
      line.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
    }
    if (option.arity().max() > 0) {
      line.append(" -r");
      String values = option.paramLabel();
      if (values.matches("[a-z-]+(\\|[a-z-]+)+")) {
        line.append(" -f -a ").append(quoted(values.replace('|', ' ')));
      }
    }
    return line.append(" -d ").append(quoted(CommandReference.text(option))).toString();
  }

  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
