package dev.stint.testkit.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The search for a Java that can run the control plane. */
final class JavaRuntimes {
  static final int NEEDED = 25;
  private static final Pattern JDK_HOME = Pattern.compile("<jdkHome>\\s*([^<]+?)\\s*</jdkHome>");
  private static final Pattern MAJOR = Pattern.compile("(\\d+)");

  private final Properties properties;
  private final Map<String, String> environment;
  private final Path root;
  private final List<String> searched = new ArrayList<>();

  /**
   * @param root of the file system, in which systems and installers have their places
   */
  JavaRuntimes(Properties properties, Map<String, String> environment, Path root) {
    this.properties = properties;
    this.environment = environment;
    this.root = root;
  }

  /**
   * Returns the first home of a Java that is new enough.
   *
   * @throws IllegalStateException if there is none; the message says where it was looked for
   */
  Path find() {
    List<Path> homes = new ArrayList<>();
    named(
        homes, "system property stint.testkit.java", properties.getProperty("stint.testkit.java"));
    named(homes, "STINT_JAVA_HOME", environment.get("STINT_JAVA_HOME"));
    named(homes, "this test's JVM", properties.getProperty("java.home"));
    named(homes, "JAVA_HOME", environment.get("JAVA_HOME"));
    releases(homes);
    toolchains(homes);
    usualPlaces(homes);
    return homes.stream()
        .filter(home -> version(home) >= NEEDED)
        .findFirst()
        .orElseThrow(() ->
            new IllegalStateException(
                "no Java %d or later found in: %s; install a JDK %d, or set STINT_JAVA_HOME to one"
                    .formatted(NEEDED, String.join(", ", searched), NEEDED)));
  }

  private void named(List<Path> homes, String name, @Nullable String home) {
    if (home == null || home.isBlank()) {
      searched.add(name + " (not set)");
    } else {
      searched.add(name + " (" + home + ")");
      add(homes, home);
    }
  }

  private void add(List<Path> homes, String home) {
    Path path = path(home);
    if (path != null) {
      homes.add(path);
    }
  }

  private @Nullable Path path(String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException strange) {
      searched.add(text + " (not a path)");
      return null;
    }
  }

  /** Adds the runtimes of installed releases of Stint. */
  private void releases(List<Path> homes) {
    for (String each : List.of("opt/stint/runtime", "usr/lib/stint/runtime")) {
      named(homes, "a release", root.resolve(each).toString());
    }
    for (String directory : environment.getOrDefault("PATH", "").split(File.pathSeparator)) {
      Path place = directory.isEmpty() ? null : path(directory);
      if (place != null && Files.isExecutable(place.resolve("stint"))) {
        runtimeOf(place.resolve("stint"), homes);
      }
    }
  }

  private void runtimeOf(Path stint, List<Path> homes) {
    try {
      Path home = stint.toRealPath().resolveSibling("..").normalize();
      named(homes, "stint on the PATH", home.resolve("runtime").toString());
    } catch (IOException gone) {
      searched.add(stint + " (unreadable)");
    }
  }

  private void toolchains(List<Path> homes) {
    Path file = userHome().resolve(".m2/toolchains.xml");
    searched.add(file.toString());
    if (Files.isReadable(file)) {
      try {
        Matcher found = JDK_HOME.matcher(Files.readString(file));
        while (found.find()) {
          add(homes, found.group(1));
        }
      } catch (IOException unreadable) {
        searched.add(file + " (unreadable)");
      }
    }
  }

  private void usualPlaces(List<Path> homes) {
    Path user = userHome();
    below(homes, root.resolve("usr/lib/jvm"), "");
    below(homes, user.resolve(".sdkman/candidates/java"), "");
    below(homes, user.resolve(".jdks"), "");
    below(homes, user.resolve(".gradle/jdks"), "");
    below(homes, root.resolve("Library/Java/JavaVirtualMachines"), "Contents/Home");
    below(homes, root.resolve("C:\\Program Files\\Java"), "");
    below(homes, root.resolve("C:\\Program Files\\Eclipse Adoptium"), "");
  }

  private void below(List<Path> homes, Path directory, String inside) {
    if (!Files.isDirectory(directory)) {
      return;
    }
    searched.add(directory.toString());
    try (DirectoryStream<Path> all = Files.newDirectoryStream(directory)) {
      List<Path> found = new ArrayList<>();
      all.forEach(each -> found.add(each.resolve(inside)));
      found.sort(null);
      homes.addAll(found);
    } catch (IOException unreadable) {
      searched.add(directory + " (unreadable)");
    }
  }

  private Path userHome() {
    Path home = path(properties.getProperty("user.home", ""));
    return home == null ? Path.of("") : home;
  }

  /** Returns the version that a home names in its file {@code release}; 0 if it is no Java. */
  static int version(Path home) {
    Properties release = new Properties();
    try (var text = Files.newBufferedReader(home.resolve("release"))) {
      release.load(text);
    } catch (IOException | IllegalArgumentException none) {
      return 0;
    }
    Matcher number = MAJOR.matcher(release.getProperty("JAVA_VERSION", ""));
    return number.find() ? Integer.parseInt(number.group()) : 0;
  }
}
