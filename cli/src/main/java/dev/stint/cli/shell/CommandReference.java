package dev.stint.cli.shell;

import dev.stint.cli.output.ExitCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Renders all commands and their flags, from the parser's model: as a man page and as Markdown. */
final class CommandReference {
  private CommandReference() {}

  /** Returns the summary of a command, in one line. */
  static String summary(CommandLine command) {
    String text = description(command);
    int end = text.indexOf(". ");
    int colon = text.indexOf(": ");
    int cut = colon > 0 && (end < 0 || colon < end) ? colon : end;
    String first = cut < 0 ? text : text.substring(0, cut);
    return first.replaceAll("[.,:]$", "");
  }

  /** Returns the description of a command. */
  static String description(CommandLine command) {
    return String.join(" ", command.getCommandSpec().usageMessage().description());
  }

  /** Returns the description of a flag or a parameter. */
  static String text(ArgSpec arg) {
    return String.join(" ", arg.description());
  }

  /** Returns a flag with its value: {@code -o, --output=text|json}. */
  static String flag(OptionSpec option) {
    String names = String.join(", ", Arrays.asList(option.names()));
    String negated = option.negatable() ? ", --no-" + option.longestName().substring(2) : "";
    return names + negated + (option.arity().max() > 0 ? "=" + option.paramLabel() : "");
  }

  private static List<OptionSpec> options(CommandSpec spec) {
    List<OptionSpec> options = new ArrayList<>(spec.options());
    options.removeIf(OptionSpec::hidden);
    options.removeIf(OptionSpec::inherited);
    options.sort(Comparator.comparing(OptionSpec::longestName));
    return options;
  }

  private static String synopsis(String name, CommandSpec spec) {
    StringBuilder line = new StringBuilder("stint ").append(name);
    if (!options(spec).isEmpty()) {
      line.append(" [flags]");
    }
    for (PositionalParamSpec each : spec.positionalParameters()) {
      String label = each.paramLabel() + (each.arity().max() > 1 ? "..." : "");
      line.append(' ').append(each.required() ? label : "[" + label + "]");
    }
    options(spec).stream()
        .filter(option -> option.required() && option.group() == null)
        .forEach(option -> line.append(' ').append(flag(option)));
    spec.argGroups().stream()
        .filter(group -> group.multiplicity().min() > 0)
        .forEach(group -> line.append(' ').append(oneOf(group)));
    return line.toString();
  }

  private static String oneOf(ArgGroupSpec group) {
    return group.args().stream()
        .filter(OptionSpec.class::isInstance)
        .map(OptionSpec.class::cast)
        .map(option ->
            option.longestName() + (option.arity().max() > 0 ? "=" + option.paramLabel() : ""))
        .sorted()
        .collect(Collectors.joining(" | ", "(", ")"));
  }

  /** Returns the examples of a command's help, one per line, without their heading. */
  private static List<String> examples(CommandSpec spec) {
    return Arrays.stream(spec.usageMessage().footer())
        .filter(line -> line.startsWith("  "))
        .map(String::strip)
        .toList();
  }

  /** Returns the part of the documentation that follows from the model. */
  static String markdown(CommandLine stint) {
    StringBuilder page = new StringBuilder();
    stint
        .getSubcommands()
        .forEach((name, command) -> {
          CommandSpec spec = command.getCommandSpec();
          page.append("\n## stint ").append(name).append("\n\n");
          page.append(description(command)).append("\n\n```\n");
          page.append(synopsis(name, spec)).append("\n");
          examples(spec).forEach(line -> page.append(line).append("\n"));
          page.append("```\n");
          List<String> rows = new ArrayList<>();
          spec.positionalParameters().forEach(each -> rows.add(row(each.paramLabel(), text(each))));
          options(spec).forEach(each -> rows.add(row(flag(each), text(each))));
          if (!rows.isEmpty()) {
            page.append("\n| flag | |\n| --- | --- |\n");
            rows.forEach(page::append);
          }
        });
    return page.toString();
  }

  private static String row(String flag, String text) {
    return "| `%s` | %s |\n".formatted(flag.replace("|", "\\|"), text.replace("|", "\\|"));
  }

  /** Returns a page for {@code man}, in roff. */
  static String man(CommandLine stint, String version) {
    StringBuilder page = new StringBuilder();
    page.append(".TH STINT 1 \"\" \"stint ").append(version).append("\" \"Commands\"\n");
    page.append(".SH NAME\nstint \\- ").append(roff(description(stint))).append("\n");
    page.append(".SH SYNOPSIS\n\\fBstint\\fR \\fICOMMAND\\fR [\\fIflags\\fR]\n.SH COMMANDS\n");
    stint
        .getSubcommands()
        .forEach((name, command) -> {
          CommandSpec spec = command.getCommandSpec();
          page.append(".SS ").append(roff(synopsis(name, spec))).append("\n");
          page.append(roff(description(command))).append("\n");
          spec.positionalParameters().forEach(each -> item(page, each.paramLabel(), text(each)));
          options(spec).forEach(each -> item(page, flag(each), text(each)));
          examples(spec)
              .forEach(line -> page.append(".PP\n.RS\n").append(roff(line)).append("\n.RE\n"));
        });
    page.append(".SH EXIT STATUS\n");
    for (ExitCode code : ExitCode.values()) {
      item(page, Integer.toString(code.status()), code.meaning());
    }
    return page.toString();
  }

  private static void item(StringBuilder page, String what, String text) {
    page.append(".TP\n\\fB").append(roff(what)).append("\\fR\n").append(roff(text)).append("\n");
  }

  private static String roff(String text) {
    String escaped = text.replace("\\", "\\e").replace("-", "\\-");
    return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
  }
}
