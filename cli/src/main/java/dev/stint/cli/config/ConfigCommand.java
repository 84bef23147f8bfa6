package dev.stint.cli.config;

import dev.stint.cli.output.Console;
import dev.stint.cli.output.ExitCode;
import dev.stint.cli.output.OutputFormat;
import dev.stint.cli.output.ReportPrinter;
import dev.stint.cli.output.UserException;
import dev.stint.model.Json;
import dev.stint.model.document.YamlWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code stint config [COMMAND]}. */
@Command(
    name = "config",
    description = {
      "Show the flags that files and variables set, or the value of every flag of a command.",
      "Checks the files: ~/.config/stint/config.yaml and /etc/stint/config.yaml."
    },
    footer = {"", "Example:", "  stint config up"})
public final class ConfigCommand implements Callable<Integer> {
  private final Console console;
  private final CommandLine stint;

  @Parameters(
      arity = "0..1",
      paramLabel = "COMMAND",
      description = "Command whose flags to show, all of them (default: what is set for any).")
  @Nullable String command;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "text|json|yaml",
      description = "Output format (default: text).")
  OutputFormat output = OutputFormat.text;

  public ConfigCommand(Console console, CommandLine stint) {
    this.console = console;
    this.stint = stint;
  }

  @Override
  public Integer call() {
    Configuration configuration = Configuration.withFaults(console.environment());
    List<FlagValue> values = values(configuration);
    switch (output) {
      case text -> text(configuration, values).forEach(console.out()::println);
      case json -> console.out().println(Json.pretty(document(configuration, values)));
      case yaml -> console.out().print(YamlWriter.text(document(configuration, values)));
    }
    console.out().flush();
    ConfigKeys.misspeltVariables(configuration, stint).forEach(console::say);
    List<String> faults = new ArrayList<>(configuration.faults());
    configuration.files().forEach(file -> faults.addAll(ConfigKeys.faults(file, stint)));
    faults.addAll(refusedValues(configuration));
    ConfigFile.refuse(faults);
    return ExitCode.OK.status();
  }

  private List<FlagValue> values(Configuration configuration) {
    if (command != null) {
      CommandLine named = stint.getSubcommands().get(command);
      if (named == null) {
        throw new UserException(
            "unknown command \""
                + command
                + "\"; the commands are "
                + String.join(", ", stint.getSubcommands().keySet()));
      }
      return FlagValue.of(named.getCommandSpec(), configuration);
    }
    return configurable().stream()
        .flatMap(each -> FlagValue.of(each.getCommandSpec(), configuration).stream())
        .filter(value -> !value.isDefault())
        .toList();
  }

  private List<CommandLine> configurable() {
    return stint.getSubcommands().values().stream()
        .filter(each -> Configuration.isConfigurable(each.getCommandName()))
        .toList();
  }

  /** Returns a line for each configured value that its flag refuses. */
  private List<String> refusedValues(Configuration configuration) {
    List<String> faults = new ArrayList<>();
    for (CommandLine each : configurable()) {
      ConfiguredFlags flags = ConfiguredFlags.applyUnchecked(configuration, each);
      each.getCommandSpec().parser().collectErrors(true);
      for (Exception fault : each.parseArgs().errors()) {
        if (fault instanceof ParameterException refused && flags.origin(refused) != null) {
          faults.add(flags.origin(refused) + ": " + refused.getMessage());
        }
      }
    }
    return faults.stream().distinct().toList();
  }

  private List<String> text(Configuration configuration, List<FlagValue> values) {
    List<String> lines = new ArrayList<>();
    for (Configuration.ConfigurationFile place : configuration.places()) {
      String none = ConfigFile.isAbsent(place.path()) ? " (none)" : "";
      lines.add("%-7s %s%s".formatted(place.level().word(), place.path(), none));
    }
    if (values.isEmpty()) {
      lines.add("nothing is set; every flag has its default");
      return lines;
    }
    lines.add("");
    List<List<String>> rows = new ArrayList<>(List.of(List.of("COMMAND", "FLAG", "VALUE", "FROM")));
    values.forEach(value -> rows.add(row(value, values)));
    ReportPrinter printer = new ReportPrinter(console);
    lines.addAll(
        printer.table(
            command == null ? rows.stream().distinct().toList() : withoutCommand(rows),
            (row, column, cell) -> cell));
    return lines;
  }

  private static List<List<String>> withoutCommand(List<List<String>> rows) {
    return rows.stream().map(row -> row.subList(1, row.size())).toList();
  }

  /** Returns a line of the table; what is set for several commands by one place is one line. */
  private static List<String> row(FlagValue value, List<FlagValue> all) {
    boolean isShared =
        all.stream()
            .anyMatch(other ->
                !other.command().equals(value.command())
                    && other.flag().equals(value.flag())
                    && other.place().equals(value.place()));
    return List.of(
        isShared ? ConfigFile.ALL : value.command(), value.flag(), value.value(), value.place());
  }

  private static ObjectNode document(Configuration configuration, List<FlagValue> values) {
    ObjectNode document = Json.object();
    ArrayNode files = document.putArray("files");
    configuration
        .places()
        .forEach(place ->
            files
                .addObject()
                .put("level", place.level().word())
                .put("path", place.path().toString())
                .put("exists", !ConfigFile.isAbsent(place.path())));
    ArrayNode flags = document.putArray("flags");
    values.forEach(value -> flags.add(value.json()));
    return document;
  }
}
