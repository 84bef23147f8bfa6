package dev.stint.bench.kills;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The arguments of {@code bench/kills}.
 *
 * @param times the number of kills
 * @param machine how many of them take the machine
 * @param seed of the first round
 * @param runs how many commands share the directory of a round; 0 if rounds of one {@code run} and
 *     one {@code up} take turns
 * @param startKills how many starts are killed one after the other at most
 * @param ballast the number of Jobs that half of the rounds begin with
 * @param image of containers
 * @param leftovers a shell command that prints what is left over after a round
 */
record KillsOptions(
    Scene.Programs programs,
    Path directory,
    int times,
    int machine,
    long seed,
    int runs,
    int startKills,
    int ballast,
    String image,
    String leftovers) {
  private static final int MOST_KILLS_OF_ROUND = 5;
  private static final Set<String> NAMES =
      Set.of(
          "--times",
          "--machine",
          "--seed",
          "--runs",
          "--old",
          "--stint",
          "--start-kills",
          "--ballast",
          "--container-socket",
          "--image",
          "--leftovers");

  /** Reads a command, a directory, and names with their values. */
  static KillsOptions of(List<String> arguments) {
    Map<String, String> values = values(arguments.subList(2, arguments.size()));
    String stint = values.getOrDefault("--stint", arguments.getFirst());
    String old = values.getOrDefault("--old", stint);
    int times = Integer.parseInt(values.getOrDefault("--times", "20"));
    String socket = values.get("--container-socket");
    Path directory = Path.of(arguments.get(1)).toAbsolutePath();
    List<String> runtime =
        socket == null
            ? List.of()
            : List.of(
                "--runtime=container", "--container-socket=" + socket, "--host-path=" + directory);
    return new KillsOptions(
        new Scene.Programs(Path.of(old).toAbsolutePath(), Path.of(stint).toAbsolutePath(), runtime),
        directory,
        times,
        Integer.parseInt(values.getOrDefault("--machine", Integer.toString(times / 5))),
        Long.parseLong(values.getOrDefault("--seed", "1")),
        runs(values),
        Integer.parseInt(values.getOrDefault("--start-kills", "0")),
        Integer.parseInt(values.getOrDefault("--ballast", "0")),
        values.getOrDefault("--image", JobFile.NO_IMAGE),
        values.getOrDefault("--leftovers", "true"));
  }

  private static int runs(Map<String, String> values) {
    int runs = Integer.parseInt(values.getOrDefault("--runs", "0"));
    if (runs > 0 && (values.containsKey("--old") || values.containsKey("--start-kills"))) {
      throw new IllegalArgumentException("--old and --start-kills are for rounds of one command");
    }
    return runs;
  }

  private static Map<String, String> values(List<String> arguments) {
    if (arguments.size() % 2 != 0) {
      throw new IllegalArgumentException(arguments.getLast() + " needs a value");
    }
    Map<String, String> values = new HashMap<>();
    for (int i = 0; i < arguments.size(); i += 2) {
      if (!NAMES.contains(arguments.get(i))) {
        throw new IllegalArgumentException("what is " + arguments.get(i) + "?");
      }
      values.put(arguments.get(i), arguments.get(i + 1));
    }
    return values;
  }

  /** Returns the commands of the round with this seed. */
  RoundKind kind(long seed) {
    if (runs > 0) {
      return RoundKind.SHARED;
    }
    return seed % 2 == 0 ? RoundKind.RUN : RoundKind.UP;
  }

  /** Returns how often a command is killed in a round: a new program goes on after one kill. */
  int mostKills() {
    return programs.first().equals(programs.later()) ? MOST_KILLS_OF_ROUND : 1;
  }
}
