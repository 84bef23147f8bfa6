package dev.stint.simulation.soak;

import dev.stint.simulation.WorldKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The options of a soak.
 *
 * @param first the first seed
 * @param worlds how many worlds all parts play together
 * @param most the time after which no more chunks are begun, or null
 * @param part the number of this part, from 1 on
 * @param parts how many parts there are, such as machines; each plays its share of the seeds
 * @param kind the kind of all worlds, or null for that of each seed
 * @param directory where the results are
 */
record SoakOptions(
    long first,
    long worlds,
    @Nullable Duration most,
    int part,
    int parts,
    @Nullable WorldKind kind,
    Path directory) {

  static final String USAGE =
      """
      Usage: build/soak [--worlds N] [--hours H] [--first SEED] [--part I/N] [--kind KIND] [--directory D]
             build/soak --again D...   # plays worlds that broke a law again, such as after a mend
             build/soak --report D...  # of all parts, such as those of several machines
      """;

  /**
   * Reads the arguments of a command line.
   *
   * @throws IllegalArgumentException that says which one is wrong
   */
  static SoakOptions parse(List<String> arguments) {
    SoakOptions options =
        new SoakOptions(
            1,
            1_000_000,
            null,
            1,
            1,
            null,
            Path.of(System.getProperty("soak.directory", "target/soak")));
    for (int i = 0; i < arguments.size(); i += 2) {
      String flag = arguments.get(i);
      if (i + 1 == arguments.size()) {
        throw new IllegalArgumentException(flag + ": missing value\n" + USAGE);
      }
      options = options.with(flag, arguments.get(i + 1));
    }
    return options;
  }

  private SoakOptions with(String flag, String value) {
    return switch (flag) {
      case "--worlds" ->
          new SoakOptions(first, positive(flag, value), most, part, parts, kind, directory);
      case "--hours" -> new SoakOptions(first, worlds, hours(value), part, parts, kind, directory);
      case "--first" ->
          new SoakOptions(positive(flag, value), worlds, most, part, parts, kind, directory);
      case "--part" -> withPart(value);
      case "--kind" -> new SoakOptions(first, worlds, most, part, parts, kind(value), directory);
      case "--directory" -> new SoakOptions(first, worlds, most, part, parts, kind, Path.of(value));
      default -> throw new IllegalArgumentException(flag + ": no such flag\n" + USAGE);
    };
  }

  private SoakOptions withPart(String value) {
    String[] both = value.split("/", -1);
    if (both.length == 2) {
      int of = (int) positive("--part", both[1]);
      int which = (int) positive("--part", both[0]);
      if (which <= of) {
        return new SoakOptions(first, worlds, most, which, of, kind, directory);
      }
    }
    throw new IllegalArgumentException("--part: \"" + value + "\" is not like 2/4");
  }

  private static WorldKind kind(String value) {
    for (WorldKind kind : WorldKind.values()) {
      if (kind.name().equals(value)) {
        return kind;
      }
    }
    throw new IllegalArgumentException(
        "--kind: \"" + value + "\" is none of " + Arrays.toString(WorldKind.values()));
  }

  private static Duration hours(String value) {
    try {
      double hours = Double.parseDouble(value);
      if (hours > 0 && hours < 10_000) {
        return Duration.ofMillis(Math.round(hours * Duration.ofHours(1).toMillis()));
      }
    } catch (NumberFormatException fault) {
      // As a number that is out of range.
    }
    throw new IllegalArgumentException("--hours: \"" + value + "\" is no positive number");
  }

  private static long positive(String flag, String value) {
    try {
      long number = Long.parseLong(value);
      if (number > 0) {
        return number;
      }
    } catch (NumberFormatException fault) {
      // As a number that is out of range.
    }
    throw new IllegalArgumentException(flag + ": \"" + value + "\" is no positive whole number");
  }
}
