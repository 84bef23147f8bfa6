package dev.stint.runner.process.user;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The environment that containers without an image start from.
 *
 * @param plain variables that a shell takes over, and passes on, as they are
 * @param odd the others; no shell can set them
 */
public record InheritedEnvironment(Map<String, String> plain, Map<String, String> odd) {
  /** Names with a meaning to a shell, or that cannot be set in one. */
  private static final Set<String> SHELLS_OWN =
      Set.of(
          "_",
          "BASHOPTS",
          "BASHPID",
          "BASH_VERSINFO",
          "BASH_ENV",
          "DIRSTACK",
          "ENV",
          "EUID",
          "FUNCNAME",
          "GROUPS",
          "HISTCMD",
          "IFS",
          "LINENO",
          "OPTARG",
          "OPTIND",
          "PPID",
          "RANDOM",
          "SECONDS",
          "SHELLOPTS",
          "SRANDOM",
          "UID");

  /** Variables of the shell that started this program; containers don't get them. */
  private static final Set<String> NOT_INHERITED = Set.of("_", "OLDPWD");

  /** Reads this program's environment. */
  public static InheritedEnvironment of(Map<String, String> environment) {
    Map<String, String> plain = new TreeMap<>(environment);
    plain
        .keySet()
        .removeIf(
            name -> NOT_INHERITED.contains(name) || InheritedNames.isOwn(name) || !isName(name));
    Map<String, String> odd = takeOdd(plain);
    return new InheritedEnvironment(Map.copyOf(plain), Map.copyOf(odd));
  }

  /** Removes the variables that a shell would not pass on, and returns them. */
  public static Map<String, String> takeOdd(Map<String, String> variables) {
    Map<String, String> odd = new TreeMap<>(variables);
    odd.keySet().removeIf(InheritedEnvironment::isPlain);
    variables.keySet().removeAll(odd.keySet());
    return odd;
  }

  /** True if a variable can have the name, also as a line of a script. */
  public static boolean isName(String name) {
    return !name.isEmpty() && name.indexOf('=') < 0 && name.indexOf('\n') < 0;
  }

  /** Returns the plain variables as entries {@code NAME=value}. */
  public List<String> entries() {
    return plain.entrySet().stream().map(InheritedEnvironment::entry).toList();
  }

  private static boolean isPlain(String name) {
    return isShellName(name) && !SHELLS_OWN.contains(name);
  }

  /** True for letters, digits and underscores, without a leading digit. */
  private static boolean isShellName(String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean digit = c >= '0' && c <= '9';
      boolean letter = c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c == '_';
      if (!letter && !(digit && i > 0)) {
        return false;
      }
    }
    return !name.isEmpty();
  }

  private static String entry(Map.Entry<String, String> variable) {
    return variable.getKey() + "=" + variable.getValue();
  }
}
