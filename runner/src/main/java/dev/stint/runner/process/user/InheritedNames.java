package dev.stint.runner.process.user;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The variables of Stint's own environment that containers without an image start from.
 *
 * @param globs names, in which {@code *} stands for any characters
 */
public record InheritedNames(List<String> globs) {
  private static final List<String> USUAL =
      List.of(
          "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "LC_*", "TZ", "TMPDIR");

  /**
   * Variables that concern Stint itself, that its launcher sets, or that only its own service
   * manager means for it.
   */
  private static final Pattern OWN =
      pattern(
          List.of(
              "STINT_*",
              "CREDENTIALS_DIRECTORY",
              "INVOCATION_ID",
              "JOURNAL_STREAM",
              "LISTEN_*",
              "NOTIFY_SOCKET",
              "ROCKSDB_MUSL_LIBC",
              "WATCHDOG_*"));

  /** All variables but Stint's own. */
  public static final InheritedNames ALL = new InheritedNames(List.of("*"));

  /**
   * The variables that programs need to find their way: paths, the user, language and time zone.
   */
  public static final InheritedNames FEW = new InheritedNames(USUAL);

  public InheritedNames {
    globs = List.copyOf(globs);
  }

  /** Returns the usual variables and these. */
  public static InheritedNames fewAnd(List<String> globs) {
    return new InheritedNames(Stream.concat(USUAL.stream(), globs.stream()).toList());
  }

  /** Returns the variables of an environment that are inherited. */
  public Map<String, String> of(Map<String, String> environment) {
    Pattern names = pattern(globs);
    Map<String, String> inherited = new TreeMap<>(environment);
    inherited.keySet().removeIf(name -> isOwn(name) || !names.matcher(name).matches());
    return inherited;
  }

  /** True if no container ever inherits a variable. */
  public static boolean isOwn(String name) {
    return OWN.matcher(name).matches();
  }

  private static Pattern pattern(List<String> globs) {
    return Pattern.compile(
        globs.stream()
            .map(glob ->
                Stream.of(glob.split("\\*", -1))
                    .map(Pattern::quote)
                    .collect(Collectors.joining(".*")))
            .collect(Collectors.joining("|")),
        Pattern.DOTALL);
  }
}
