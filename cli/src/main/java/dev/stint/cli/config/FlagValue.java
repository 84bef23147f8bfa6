package dev.stint.cli.config;

import dev.stint.model.Json;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import tools.jackson.databind.node.ObjectNode;

/**
 * The effective value of one flag of one command.
 *
 * @param flag with its dashes
 * @param value as it would be written on the command line; for a default, as the help describes it
 * @param place where it comes from; {@code default} if nothing sets it
 */
record FlagValue(String command, String flag, String value, Level level, String place) {
  private static final Pattern DEFAULT = Pattern.compile("\\(default(?: of \\w+)?: (.*)\\)");

  /** Returns the flags of a command that can be configured, in order of their names. */
  static List<FlagValue> of(CommandSpec command, Configuration configuration) {
    Map<String, Setting> settings = ConfiguredFlags.settings(configuration, command);
    List<FlagValue> values = new ArrayList<>();
    for (OptionSpec option : command.options()) {
      if (Configuration.isConfigurable(option)) {
        Setting found = settings.get(option.longestName());
        values.add(of(command.name(), option, Optional.ofNullable(found)));
      }
    }
    values.sort(Comparator.comparing(FlagValue::flag));
    return values;
  }

  private static FlagValue of(String command, OptionSpec option, Optional<Setting> setting) {
    return setting
        .map(found ->
            new FlagValue(
                command,
                option.longestName(),
                String.join(", ", found.values()),
                found.level(),
                found.place()))
        .orElseGet(() ->
            new FlagValue(
                command,
                option.longestName(),
                defaultOf(option),
                Level.DEFAULT,
                Level.DEFAULT.word()));
  }

  /** Returns the default in the words of the help; a flag without a value is off. */
  private static String defaultOf(OptionSpec option) {
    Matcher said = DEFAULT.matcher(String.join(" ", option.description()));
    if (said.find()) {
      return said.group(1);
    }
    return option.arity().max() == 0 ? "false" : "";
  }

  boolean isDefault() {
    return level == Level.DEFAULT;
  }

  ObjectNode json() {
    return Json.object()
        .put("command", command)
        .put("flag", flag)
        .put("value", value)
        .put("from", level.word())
        .put("place", place);
  }
}
