package dev.stint.cli.config;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** The flags of one command that have their value from the configuration. */
public final class ConfiguredFlags implements IDefaultValueProvider {
  private static final String DATA = "--data";
  private static final String KUBECONFIG = "--kubeconfig";
  private static final String CONTEXT = "--context";

  /** The command that looks at a data directory, and at the cluster of a kubeconfig, too. */
  private static final String DOCTOR = "doctor";

  /** The settings, by the longest name of the flag. */
  private final Map<String, Setting> settings;

  private ConfiguredFlags(Map<String, Setting> settings) {
    this.settings = settings;
  }

  /** Returns those of a command without configuration. */
  public static ConfiguredFlags none() {
    return new ConfiguredFlags(Map.of());
  }

  /**
   * Gives a command the configured values as defaults. Flags on the command line replace them.
   *
   * @param names the names of all commands
   * @param all returns all commands, which costs more than one
   */
  public static ConfiguredFlags apply(
      Configuration configuration,
      CommandLine command,
      Collection<String> names,
      Supplier<CommandLine> all,
      String... args) {
    List<String> faults = new ArrayList<>();
    configuration
        .files()
        .forEach(file -> faults.addAll(ConfigKeys.faults(file, command, names, all)));
    ConfigFile.refuse(faults);
    return applyUnchecked(configuration, command, args);
  }

  /** Gives a command the configured values, whatever else the files say. */
  static ConfiguredFlags applyUnchecked(
      Configuration configuration, CommandLine command, String... args) {
    ConfiguredFlags flags =
        new ConfiguredFlags(settings(configuration, command.getCommandSpec(), args));
    if (!flags.settings.isEmpty()) {
      flags.applyTo(command);
    }
    return flags;
  }

  /**
   * Returns the settings that count for a command, by the longest names of its flags: those of
   * flags that the command line does not name.
   */
  static Map<String, Setting> settings(
      Configuration configuration, CommandSpec command, String... args) {
    List<String> named = Arrays.stream(args).takeWhile(arg -> !arg.equals("--")).toList();
    Map<String, Setting> settings = new LinkedHashMap<>();
    for (OptionSpec option : command.options()) {
      if (Arrays.stream(option.names()).noneMatch(name -> isNamed(name, named))) {
        configuration
            .setting(command.name(), option)
            .ifPresent(found -> settings.put(option.longestName(), found));
      }
    }
    if (command.name().equals(DOCTOR)) {
      keepOwnContext(settings, named);
    } else {
      keepOnePlace(settings, named);
    }
    return settings;
  }

  /** True if the command line names a flag; for a group of short flags, that is not seen. */
  private static boolean isNamed(String flag, List<String> args) {
    return args.stream().anyMatch(arg -> arg.equals(flag) || arg.startsWith(flag + "="));
  }

  /**
   * Keeps either the data directory or the cluster, whichever is set at the stronger level. A
   * kubeconfig or a context names a cluster; a kubeconfig has contexts of its own, so a context
   * from a weaker level is dropped.
   */
  private static void keepOnePlace(Map<String, Setting> settings, List<String> args) {
    Level data = level(DATA, settings, args);
    Level kubeconfig = level(KUBECONFIG, settings, args);
    Level context = level(CONTEXT, settings, args);
    Level cluster = kubeconfig.compareTo(context) < 0 ? kubeconfig : context;
    if (data.compareTo(cluster) < 0) {
      settings.remove(KUBECONFIG);
      settings.remove(CONTEXT);
    } else if (cluster.compareTo(data) < 0) {
      settings.remove(DATA);
    }
    if (kubeconfig.compareTo(context) < 0) {
      settings.remove(CONTEXT);
    }
  }

  /** Drops a configured context without a kubeconfig, or from a weaker level than that. */
  private static void keepOwnContext(Map<String, Setting> settings, List<String> args) {
    Level kubeconfig = level(KUBECONFIG, settings, args);
    if (kubeconfig == Level.DEFAULT || kubeconfig.compareTo(level(CONTEXT, settings, args)) < 0) {
      settings.remove(CONTEXT);
    }
  }

  private static Level level(String flag, Map<String, Setting> settings, List<String> args) {
    if (isNamed(flag, args)) {
      return Level.FLAG;
    }
    Setting found = settings.get(flag);
    return found == null ? Level.DEFAULT : found.level();
  }

  private void applyTo(CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    for (OptionSpec option : List.copyOf(spec.options())) {
      if (settings.containsKey(option.longestName())) {
        spec.remove(option);
        spec.addOption(configurable(option));
      }
    }
    command.setDefaultValueProvider(this);
  }

  /**
   * Returns a flag that takes a default from here. Several values come as one text. A flag without
   * a value would turn around a default of true, and could not be turned off.
   */
  private static OptionSpec configurable(OptionSpec option) {
    OptionSpec.Builder builder = OptionSpec.builder(option);
    if (option.isMultiValue() && option.splitRegex().isEmpty()) {
      builder.splitRegex(Setting.SEPARATOR);
    }
    if (option.arity().max() == 0) {
      builder.arity("0..1").fallbackValue("true").paramLabel("true|false");
    }
    return builder.build();
  }

  @Override
  public @Nullable String defaultValue(ArgSpec arg) {
    Setting found = setting(arg);
    return found == null ? null : text(arg, found);
  }

  private @Nullable Setting setting(@Nullable ArgSpec arg) {
    return arg instanceof OptionSpec option ? settings.get(option.longestName()) : null;
  }

  /** Returns the values as one text, which the parser splits again. */
  static String text(ArgSpec arg, Setting setting) {
    boolean hasOwn = !arg.splitRegex().isEmpty() && !arg.splitRegex().equals(Setting.SEPARATOR);
    return String.join(hasOwn ? "," : Setting.SEPARATOR, setting.values());
  }

  /** Returns the place of the value that the parser refuses; null if the user wrote it. */
  public @Nullable String origin(ParameterException fault) {
    Setting found = setting(fault.getArgSpec());
    return found == null ? null : found.place();
  }

  /** Returns lines that say where the flags come from that a message names. */
  public List<String> origins(List<String> message) {
    return settings.entrySet().stream()
        .filter(each -> names(message, each.getKey()))
        .map(each -> each.getKey() + " is set by " + each.getValue().place())
        .toList();
  }

  private static boolean names(List<String> message, String flag) {
    Pattern word = Pattern.compile("(?<![\\w-])" + Pattern.quote(flag) + "(?![\\w-])");
    return message.stream().anyMatch(line -> word.matcher(line).find());
  }
}
