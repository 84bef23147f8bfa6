package dev.stint.bench.day;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * The flags of an hour.
 *
 * @param out the directory of the results, which is emptied first
 * @param jobs how many Jobs are created
 */
record DayOptions(Path out, int jobs, Duration time) {

  /**
   * Reads flags and their values.
   *
   * @param out the directory without {@code --out}
   * @throws IllegalArgumentException that says which one is wrong
   */
  static DayOptions parse(Path out, List<String> arguments) {
    DayOptions options =
        new DayOptions(out.toAbsolutePath().normalize(), 200_000, Duration.ofHours(1));
    for (int i = 0; i < arguments.size(); i += 2) {
      String flag = arguments.get(i);
      if (i + 1 == arguments.size()) {
        throw new IllegalArgumentException(flag + ": missing value");
      }
      options = options.with(flag, arguments.get(i + 1));
    }
    return options;
  }

  private DayOptions with(String flag, String value) {
    return switch (flag) {
      case "--jobs" -> new DayOptions(out, positive(flag, value), time);
      case "--minutes" -> new DayOptions(out, jobs, Duration.ofMinutes(positive(flag, value)));
      case "--out" -> new DayOptions(Path.of(value).toAbsolutePath().normalize(), jobs, time);
      default -> throw new IllegalArgumentException(flag + ": no such flag");
    };
  }

  private static int positive(String flag, String value) {
    try {
      int number = Integer.parseInt(value);
      if (number > 0) {
        return number;
      }
    } catch (NumberFormatException fault) {
      // As a number that is out of range.
    }
    throw new IllegalArgumentException(flag + ": \"" + value + "\" is no positive whole number");
  }

  /**
   * Checks that nothing is deleted but results of an earlier run.
   *
   * @throws IllegalArgumentException if there is something else
   */
  void checkOut() throws IOException {
    if (Files.exists(out) && !Files.exists(Hour.samples(out)) && !isEmpty(out)) {
      throw new IllegalArgumentException(
          "--out: %s is no empty directory and has no samples.csv of an earlier run; name another one"
              .formatted(out));
    }
  }

  private static boolean isEmpty(Path path) throws IOException {
    if (!Files.isDirectory(path)) {
      return false;
    }
    try (Stream<Path> entries = Files.list(path)) {
      return entries.findAny().isEmpty();
    }
  }
}
