package dev.stint.cli.assets;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Flags in the form of Go's programs: {@code --k=v} or {@code --k v}, with one dash or two, as
 * often as somebody likes. A flag without a value is {@code true}.
 *
 * @param values the values of each flag, in order; {@code _} in a name counts as {@code -}
 * @param others the arguments that are not flags
 */
record GoFlags(Map<String, List<String>> values, List<String> others) {
  /** Parses a command line. Every command line is valid. */
  static GoFlags parse(String... args) {
    GoFlags flags = new GoFlags(new LinkedHashMap<>(), new ArrayList<>());
    Deque<String> left = new ArrayDeque<>(Arrays.asList(args));
    while (!left.isEmpty()) {
      String arg = left.pop();
      if (arg.equals("--")) {
        flags.others.addAll(left);
        break;
      }
      if (isFlag(arg)) {
        flags.add(arg.replaceFirst("^--?", ""), left);
      } else {
        flags.others.add(arg);
      }
    }
    return flags;
  }

  private static boolean isFlag(String arg) {
    return arg.startsWith("-") && arg.length() > 1;
  }

  private void add(String flag, Deque<String> following) {
    int equals = flag.indexOf('=');
    if (equals >= 0) {
      add(flag.substring(0, equals), flag.substring(equals + 1));
    } else if (following.isEmpty() || isFlag(following.peek())) {
      add(flag, "true");
    } else {
      add(flag, following.pop());
    }
  }

  private void add(String name, String value) {
    values.computeIfAbsent(name.replace('_', '-'), _ -> new ArrayList<>()).add(value);
  }

  /** Returns the names of the flags that are given, without dashes. */
  Set<String> names() {
    return values.keySet();
  }

  boolean has(String name) {
    return values.containsKey(name);
  }

  /** Returns all values of a flag. */
  List<String> all(String name) {
    return values.getOrDefault(name, List.of());
  }

  /** Returns the last value of a flag, unless it is empty: an empty one counts as none. */
  Optional<String> last(String name) {
    List<String> all = all(name);
    return all.isEmpty() || all.getLast().isEmpty() ? Optional.empty() : Optional.of(all.getLast());
  }

  /** Returns the entries of a flag whose values are lists with commas. */
  List<String> entries(String name) {
    return all(name).stream()
        .flatMap(value -> Arrays.stream(value.split(",", -1)))
        .map(String::strip)
        .filter(entry -> !entry.isEmpty())
        .toList();
  }

  /** True if a flag is given and not turned off. */
  boolean isOn(String name) {
    return last(name).filter(value -> !isOff(value)).isPresent();
  }

  private static boolean isOff(String value) {
    return switch (value) {
      case "false", "False", "FALSE", "f", "F", "0" -> true;
      default -> false;
    };
  }
}
