package dev.stint.cli.config;

import dev.stint.model.document.SpellingHint;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Checks the keys of files against the commands and their flags. */
final class ConfigKeys {
  /** Variables of commands, launchers and pods that no flag has. */
  private static final Set<String> OTHER_VARIABLES =
      Set.of(
          Configuration.VARIABLE,
          "STINT_BUILD",
          "STINT_CONTROLLERS",
          "STINT_ITEM",
          "STINT_JAVA_HOME",
          "STINT_JAVA_OPTS",
          "STINT_POD_UID",
          "STINT_TERMINATION_LOG");

  private ConfigKeys() {}

  /** Returns the faults of what a file says about one command. */
  static List<String> faults(
      ConfigFile file, CommandLine command, Collection<String> names, Supplier<CommandLine> all) {
    List<String> faults = unknownSections(file, names);
    faults.addAll(faultsOfSection(file, command));
    Collection<String> known = flags(command);
    if (!known.containsAll(file.keys(ConfigFile.ALL))) {
      faults.addAll(faultsOfAll(file, all.get()));
    }
    return faults;
  }

  /** Returns the faults of a whole file. */
  static List<String> faults(ConfigFile file, CommandLine all) {
    List<String> faults = unknownSections(file, all.getSubcommands().keySet());
    all.getSubcommands().values().forEach(each -> faults.addAll(faultsOfSection(file, each)));
    faults.addAll(faultsOfAll(file, all));
    return faults;
  }

  /** Returns a line for each environment variable whose name is almost one that Stint reads. */
  static List<String> misspeltVariables(Configuration configuration, CommandLine all) {
    Set<String> known = new TreeSet<>(OTHER_VARIABLES);
    all.getSubcommands()
        .values()
        .forEach(each ->
            each.getCommandSpec().options().stream()
                .filter(Configuration::isConfigurable)
                .forEach(option -> known.add(Configuration.variable(option))));
    Set<String> names = // What all have in common would make short names look alike.
        known.stream()
            .map(ConfigKeys::withoutPrefix)
            .collect(Collectors.toCollection(TreeSet::new));
    return configuration.variables().stream()
        .filter(name -> !known.contains(name))
        .flatMap(name ->
            SpellingHint.nearest(withoutPrefix(name), names)
                .map(near ->
                    name + " is not read; did you mean " + Configuration.PREFIX + near + "?")
                .stream())
        .toList();
  }

  private static String withoutPrefix(String variable) {
    return variable.substring(Configuration.PREFIX.length());
  }

  private static List<String> unknownSections(ConfigFile file, Collection<String> names) {
    List<String> faults = new ArrayList<>();
    for (String section : file.sections()) {
      boolean isKnown = names.contains(section) && Configuration.isConfigurable(section);
      if (!isKnown && !section.equals(ConfigFile.ALL)) {
        faults.add(
            file.describe(
                section,
                "is not a command that can be configured"
                    + meant(section, names)
                    + "; flags belong under a command, or under all"));
      }
    }
    return faults;
  }

  private static List<String> faultsOfSection(ConfigFile file, CommandLine command) {
    String name = command.getCommandName();
    List<String> faults = new ArrayList<>();
    Collection<String> known = flags(command);
    for (String key : file.keys(name)) {
      if (!known.contains(key)) {
        String problem =
            isFlag(command, key)
                ? "cannot be configured; name it on the command line"
                : "is not a flag of stint " + name + meant(key, known) + see(name);
        faults.add(file.describe(name + "." + key, problem));
      }
    }
    return faults;
  }

  private static List<String> faultsOfAll(ConfigFile file, CommandLine all) {
    Collection<String> known = new TreeSet<>();
    all.getSubcommands().values().forEach(each -> known.addAll(flags(each)));
    List<String> faults = new ArrayList<>();
    for (String key : file.keys(ConfigFile.ALL)) {
      if (!known.contains(key)) {
        faults.add(
            file.describe(
                ConfigFile.ALL + "." + key,
                "is not a flag of any command that can be configured" + meant(key, known)));
      }
    }
    return faults;
  }

  private static String see(String command) {
    return "; see: stint " + command + " --help";
  }

  private static boolean isFlag(CommandLine command, String key) {
    return command.getCommandSpec().findOption("--" + key) != null;
  }

  private static Collection<String> flags(CommandLine command) {
    Collection<String> flags = new TreeSet<>();
    for (OptionSpec option : command.getCommandSpec().options()) {
      if (Configuration.isConfigurable(option)) {
        flags.addAll(Configuration.keys(option));
      }
    }
    return flags;
  }

  private static String meant(String wrong, Collection<String> known) {
    Optional<String> near = SpellingHint.nearest(wrong, known);
    return near.map(name -> " (did you mean " + name + "?)").orElse("");
  }
}
