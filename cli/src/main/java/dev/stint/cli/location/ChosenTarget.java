package dev.stint.cli.location;

import dev.stint.cli.output.UserException;
import dev.stint.embedded.data.DataLayout;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The target that flags and environment name (decision 74). */
public sealed interface ChosenTarget {
  /** The variable that names kubeconfig files, as for kubectl. */
  String VARIABLE = "KUBECONFIG";

  /** A data directory. */
  record Data(DataLocation data) implements ChosenTarget {}

  /**
   * A cluster.
   *
   * @param kubeconfigs the files that describe it together, as {@code KUBECONFIG} lists them
   * @param context null for the current one
   * @param origin what names it: a flag or a variable
   * @param implied true if only the environment names it
   */
  record Far(List<Path> kubeconfigs, @Nullable String context, String origin, boolean implied)
      implements ChosenTarget {}

  /**
   * Returns the place: a flag decides, then {@code KUBECONFIG}, then the usual data directory. A
   * kubeconfig that {@code up} keeps in its data directory means that directory.
   *
   * @throws UserException if two places are named
   */
  static ChosenTarget of(
      @Nullable Path data,
      @Nullable Path kubeconfig,
      @Nullable String context,
      Map<String, String> environment) {
    if (data != null && (kubeconfig != null || context != null)) {
      throw new UserException(
          "--data and %s cannot be combined; remove one of them"
              .formatted(kubeconfig == null ? "--context" : "--kubeconfig"));
    }
    if (kubeconfig != null) {
      return new Far(List.of(kubeconfig), context, "--kubeconfig", false);
    }
    List<Path> named = named(environment);
    if (data != null || context == null && named.isEmpty()) {
      return new Data(DataLocation.of(data, environment));
    }
    if (context != null) {
      return new Far(
          named.isEmpty() ? List.of(usual(environment)) : named, context, "--context", false);
    }
    Path directory = named.size() == 1 ? dataDirectory(named.getFirst()) : null;
    return directory == null
        ? new Far(named, null, VARIABLE, true)
        : new Data(new DataLocation(directory));
  }

  /** Returns what to do if the variable was not meant. */
  static String hint() {
    return "; to work on this machine, unset KUBECONFIG or name a data directory with --data DIR";
  }

  private static List<Path> named(Map<String, String> environment) {
    return Arrays.stream(environment.getOrDefault(VARIABLE, "").split(File.pathSeparator))
        .filter(each -> !each.isEmpty())
        .map(each -> path(VARIABLE, each))
        .toList();
  }

  /** Returns the file that kubectl uses if nothing names another one. */
  private static Path usual(Map<String, String> environment) {
    String home = environment.getOrDefault("HOME", "");
    if (home.isEmpty()) {
      throw new UserException("HOME is not set; name a file with --kubeconfig FILE");
    }
    return path("HOME", home).resolve(".kube", "config");
  }

  private static Path path(String variable, String value) {
    try {
      return Path.of(value);
    } catch (InvalidPathException unreadable) {
      throw new UserException(variable + " is no path in this locale: " + value);
    }
  }

  /** Returns the data directory in which a kubeconfig is that of its {@code up}; null if none. */
  private static @Nullable Path dataDirectory(Path kubeconfig) {
    Path file = kubeconfig.toAbsolutePath().normalize();
    Path directory = file.getParent();
    return directory != null
            && file.equals(new DataLayout(directory).kubeconfig())
            && Files.exists(new DataLayout(directory).lock())
            && Files.isDirectory(new DataLayout(directory).store())
        ? directory
        : null;
  }
}
