package dev.stint.bench.day;

import dev.stint.bench.disk.Directories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Runs Jobs that come and go for an hour, and judges whether what the server uses is flat. See
 * {@code bench/day} for the arguments.
 */
public final class DayProgram {
  /** Events and logs go within minutes, so that an hour shows what stays. */
  private static final List<String> OPTIONS =
      List.of("--runtime=process", "--event-ttl=2m", "--keep-logs=2m");

  private DayProgram() {}

  /** Arguments: the launcher, a directory, the command and its own arguments. */
  public static void main(String[] arguments) throws Exception {
    Path launcher = Path.of(arguments[0]).toAbsolutePath();
    List<String> rest = List.of(arguments).subList(2, arguments.length);
    String command = rest.isEmpty() ? "" : rest.getFirst();
    if (command.equals("hour")) {
      DayOptions options = options(Path.of(arguments[1]), rest.subList(1, rest.size()));
      System.exit(hour(launcher, options) ? 0 : 1);
    } else if (command.equals("picture") && rest.size() == 2) {
      System.exit(judge(Path.of(rest.get(1))) ? 0 : 1);
    }
    System.err.println("bench/day: hour, or picture and a directory; see the script");
    System.exit(2);
  }

  private static DayOptions options(Path out, List<String> flags) throws IOException {
    try {
      DayOptions options = DayOptions.parse(out, flags);
      options.checkOut();
      return options;
    } catch (IllegalArgumentException wrong) {
      System.err.println("bench/day: " + wrong.getMessage());
      System.exit(2);
      throw wrong;
    }
  }

  private static boolean hour(Path launcher, DayOptions options) throws Exception {
    Path out = options.out();
    Directories.deleteAll(out);
    Files.createDirectories(out);
    // Also marks the directory as one that the next run may delete.
    Files.writeString(Hour.samples(out), Sample.HEADER + "\n");
    List<String> faults;
    try (DayServer server = DayServer.start(launcher, out, OPTIONS)) {
      faults = new Hour(out, server).run(options.jobs(), options.time());
    }
    faults.stream().limit(20).forEach(System.out::println);
    System.out.println(faults.isEmpty() ? "no Job is lost" : faults.size() + " faults");
    return judge(out) && faults.isEmpty();
  }

  static boolean judge(Path directory) throws IOException {
    List<Sample> samples;
    try (Stream<String> lines = Files.lines(Hour.samples(directory))) {
      samples = lines.skip(1).map(Sample::parse).toList();
    }
    if (samples.isEmpty()) {
      System.out.println("no samples, and nothing to judge");
      return false;
    }
    double created = samples.stream().mapToDouble(each -> each.get(Figure.CREATED)).sum();
    String title =
        String.format(
            Locale.ROOT,
            "%,.0f Jobs in %d minutes of stint up",
            created,
            Math.round(samples.getLast().second() / 60.0));
    Path picture = directory.resolve("day.svg");
    Files.writeString(picture, new DayPicture(title, samples).svg());
    System.out.println("picture: " + picture);
    if (samples.size() < 4) {
      System.out.println("too short for a judgment");
      return true;
    }
    List<Flatness> all = Flatness.all(samples);
    System.out.println("| figure | second quarter | last quarter | highest | |");
    System.out.println("| --- | --- | --- | --- | --- |");
    all.forEach(each -> System.out.println(each.row()));
    return all.stream().allMatch(Flatness::isFlat);
  }
}
