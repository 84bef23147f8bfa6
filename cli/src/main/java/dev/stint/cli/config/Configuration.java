package dev.stint.cli.config;

import dev.stint.cli.output.UserException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.OptionSpec;

/** The flags that environment variables, the user's file and the system's file set. */
public final class Configuration {
  /** The variable that names a file to read in place of the user's and the system's. */
  public static final String VARIABLE = "STINT_CONFIG";

  /** The value of {@value #VARIABLE} for no file. */
  public static final String NO_FILE = "/dev/null";

  /** Commands that work whatever the configuration says. */
  private static final Set<String> UNCONFIGURED =
      Set.of("help", "completion", "man", "config", "version");

  private static final Path SYSTEM_FILE = Path.of("/etc/stint/config.yaml");

  /** The beginning of the variables of flags. */
  static final String PREFIX = "STINT_";

  /** Matches the start of a path in the home directory. */
  private static final Pattern OF_TEXT = Pattern.compile("^()~/");

  /** Matches the start of the path in NAME=PATH, if it is in the home directory. */
  private static final Pattern OF_VALUE = Pattern.compile("^([^=]*=)~/");

  private final Map<String, String> environment;
  private final List<ConfigurationFile> places;
  private final List<ConfigFile> files = new ArrayList<>();
  private final List<String> faults = new ArrayList<>();

  /** A place that a file may be in. */
  record ConfigurationFile(Path path, Level level) {}

  private Configuration(Map<String, String> environment, List<ConfigurationFile> places) {
    this.environment = environment;
    this.places = places;
    places.forEach(this::read);
  }

  private void read(ConfigurationFile place) {
    try {
      ConfigFile.read(place.path(), place.level())
          .ifPresent(file -> {
            files.add(file);
            faults.addAll(file.faults());
          });
    } catch (UserException unreadable) {
      faults.addAll(unreadable.lines());
    }
  }

  /**
   * Reads the files.
   *
   * @throws UserException if one cannot be read, is not safe or is no configuration
   */
  public static Configuration of(Map<String, String> environment) {
    return of(environment, SYSTEM_FILE);
  }

  static Configuration of(Map<String, String> environment, Path system) {
    Configuration configuration = new Configuration(environment, places(environment, system));
    ConfigFile.refuse(configuration.faults);
    return configuration;
  }

  /** Reads what can be read, and keeps the faults of the rest. */
  static Configuration withFaults(Map<String, String> environment) {
    try {
      return new Configuration(environment, places(environment, SYSTEM_FILE));
    } catch (UserException none) {
      Configuration ofVariables = new Configuration(environment, List.of());
      ofVariables.faults.addAll(none.lines());
      return ofVariables;
    }
  }

  private static List<ConfigurationFile> places(Map<String, String> environment, Path system) {
    String named = environment.getOrDefault(VARIABLE, "");
    if (named.equals(NO_FILE)) {
      return List.of();
    }
    if (!named.isEmpty()) {
      Path file = path(named);
      if (file == null || ConfigFile.isAbsent(file)) {
        throw new UserException(VARIABLE + "=" + named + ": no such file; correct or unset it");
      }
      return List.of(new ConfigurationFile(file.toAbsolutePath(), Level.USER));
    }
    List<ConfigurationFile> places = new ArrayList<>();
    Path own = userFile(environment);
    if (own != null) {
      places.add(new ConfigurationFile(own, Level.USER));
    }
    places.add(new ConfigurationFile(system, Level.SYSTEM));
    return List.copyOf(places);
  }

  private static @Nullable Path userFile(Map<String, String> environment) {
    String shared = environment.getOrDefault("XDG_CONFIG_HOME", "");
    if (shared.startsWith("/")) { // The XDG base directory specification: ignore relative ones.
      return path(shared + "/stint/config.yaml");
    }
    String home = environment.getOrDefault("HOME", "");
    return home.startsWith("/") ? path(home + "/.config/stint/config.yaml") : null;
  }

  /** Returns a path; null if it has characters that the locale's encoding does not have. */
  private static @Nullable Path path(String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException unknownCharacters) {
      return null;
    }
  }

  /** Returns the places of files, strongest first. */
  List<ConfigurationFile> places() {
    return places;
  }

  /** Returns the files that could be read, strongest first. */
  List<ConfigFile> files() {
    return List.copyOf(files);
  }

  /** Returns what is wrong with the files themselves, whatever their keys mean. */
  List<String> faults() {
    return List.copyOf(faults);
  }

  /** True if the flags of a command can be configured. */
  public static boolean isConfigurable(String command) {
    return !UNCONFIGURED.contains(command);
  }

  /**
   * True if a flag can be configured: those of the help, and of a choice that must be made, not.
   */
  static boolean isConfigurable(OptionSpec option) {
    return !option.inherited()
        && !option.hidden()
        && !option.usageHelp()
        && !option.versionHelp()
        && option.group() == null;
  }

  /** Returns the keys of a flag in files: its long names without dashes. */
  static List<String> keys(OptionSpec option) {
    return Arrays.stream(option.names())
        .filter(name -> name.startsWith("--"))
        .map(name -> name.substring(2))
        .toList();
  }

  /** Returns the environment variable of a flag. */
  static String variable(OptionSpec option) {
    return PREFIX + option.longestName().substring(2).toUpperCase(Locale.ROOT).replace('-', '_');
  }

  /** Returns the names of the environment variables that look like those of flags. */
  List<String> variables() {
    return environment.keySet().stream().filter(name -> name.startsWith(PREFIX)).sorted().toList();
  }

  /** Returns the configured value of a flag; nothing if it has its default. */
  Optional<Setting> setting(String command, OptionSpec option) {
    if (!isConfigurable(option)) {
      return Optional.empty();
    }
    String value = environment.getOrDefault(variable(option), "");
    if (!value.isEmpty()) {
      List<String> values =
          option.isMultiValue() && option.splitRegex().isEmpty()
              ? value.lines().toList()
              : List.of(value);
      return Optional.of(new Setting(values, Level.VARIABLE, variable(option)));
    }
    return files.stream()
        .flatMap(file -> file.setting(command, keys(option)).stream())
        .findFirst()
        .map(found -> atHome(found, option));
  }

  /** Returns a setting whose paths in the home directory are absolute: files know no shell. */
  private Setting atHome(Setting found, OptionSpec option) {
    String home = environment.getOrDefault("HOME", "");
    boolean isPath =
        Arrays.asList(option.typeInfo().getAuxiliaryTypes()).contains(Path.class)
            || option.typeInfo().getType().equals(Path.class);
    if (!isPath || home.isEmpty()) {
      return found;
    }
    Pattern start = option.typeInfo().isMap() ? OF_VALUE : OF_TEXT;
    List<String> values =
        found.values().stream()
            .map(each ->
                start.matcher(each).replaceFirst("$1" + Matcher.quoteReplacement(home + "/")))
            .toList();
    return new Setting(values, found.level(), found.place());
  }
}
