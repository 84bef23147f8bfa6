package dev.stint.bench.robustness;

import dev.stint.bench.disk.Directories;
import dev.stint.bench.history.EventStream;
import dev.stint.bench.history.HistoryCheck;
import dev.stint.bench.history.HistoryFile;
import dev.stint.bench.history.Operation;
import dev.stint.bench.history.Outcome;
import dev.stint.bench.history.RecordedHistory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Loads servers while they and their machine fail, and checks what their clients saw. See {@code
 * bench/robustness} for the arguments.
 */
public final class RobustnessProgram {
  private static final Duration BETWEEN_FAULTS = Duration.ofSeconds(6);
  private static final RobustnessRun.Load LOAD =
      new RobustnessRun.Load(8, 6, List.of("", "a", "", "b"), 20);

  private final Options options;
  private final Map<FaultKind, Integer> injected = new EnumMap<>(FaultKind.class);
  private final Map<String, Integer> notes = new TreeMap<>();
  private long operations;
  private long unknown;
  private long events;

  private RobustnessProgram(Options options) {
    this.options = options;
  }

  /** The arguments. */
  private record Options(
      Path launcher,
      @Nullable Path library,
      Path directory,
      int runs,
      double minutes,
      long seed,
      List<FaultKind> faults) {

    static Options of(List<String> arguments) {
      int runs = 1;
      double minutes = 1;
      long seed = 1;
      List<FaultKind> faults = List.of(FaultKind.values());
      for (int i = 3; i + 1 < arguments.size(); i += 2) {
        String value = arguments.get(i + 1);
        switch (arguments.get(i)) {
          case "--runs" -> runs = Integer.parseInt(value);
          case "--minutes" -> minutes = Double.parseDouble(value);
          case "--seed" -> seed = Long.parseLong(value);
          case "--faults" -> faults = faults(value);
          default -> throw new IllegalArgumentException("unknown option " + arguments.get(i));
        }
      }
      Path library = Path.of(arguments.get(1));
      return new Options(
          Path.of(arguments.get(0)).toAbsolutePath(),
          Files.exists(library) ? library.toAbsolutePath() : null,
          Path.of(arguments.get(2)).toAbsolutePath(),
          runs,
          minutes,
          seed,
          faults);
    }

    private static List<FaultKind> faults(String names) {
      List<FaultKind> faults = new ArrayList<>();
      for (String name : names.split(",", -1)) {
        faults.add(FaultKind.valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_')));
      }
      return faults;
    }
  }

  /** Arguments: the launcher, the library of faults, a directory for what is kept, options. */
  public static void main(String[] arguments) throws Exception {
    if (arguments[0].equals("check")) {
      System.exit(check(Path.of(arguments[1])) ? 0 : 1);
    }
    System.exit(new RobustnessProgram(Options.of(List.of(arguments))).run() ? 0 : 1);
  }

  private static boolean check(Path file) {
    HistoryCheck.Report report = HistoryCheck.check(HistoryFile.read(file));
    report.violations().forEach(System.out::println);
    report.undecided().forEach(key -> System.out.println("undecided: " + key));
    return report.violations().isEmpty();
  }

  private boolean run() throws IOException, InterruptedException {
    if (options.library() == null) {
      System.out.println("NOT TESTED: faults of the disk and the clock; they need a C compiler");
    }
    System.out.println("| seed | operations | unanswered | events | faults | check | result |");
    System.out.println("| --- | --- | --- | --- | --- | --- | --- |");
    boolean good = true;
    for (long seed = options.seed(); seed < options.seed() + options.runs(); seed++) {
      good &= run(seed);
    }
    System.out.printf(
        "%n%d runs of %s min: %d operations, %d of them unanswered, %d events; %s; %s%n",
        options.runs(), options.minutes(), operations, unknown, events, injected, notes);
    return good;
  }

  private boolean run(long seed) throws IOException, InterruptedException {
    Path directory = options.directory().resolve(Long.toString(seed));
    Directories.deleteAll(directory);
    Files.createDirectories(directory);
    HistoryRecorder recorder = new HistoryRecorder();
    RobustnessRun.Settings settings =
        new RobustnessRun.Settings(
            seed,
            Duration.ofMillis((long) (options.minutes() * 60_000)),
            0,
            options.faults(),
            BETWEEN_FAULTS,
            LOAD);
    try (UpServer server =
        new UpServer(options.launcher(), directory, options.library(), recorder)) {
      RobustnessRun.Result result = new RobustnessRun(server, recorder, settings).run();
      return report(seed, directory, result);
    } catch (IOException broken) {
      System.out.printf("| %d | | | | | | **%s** |%n", seed, broken.getMessage());
      return false;
    }
  }

  private boolean report(long seed, Path directory, RobustnessRun.Result result)
      throws IOException {
    RecordedHistory history = result.history();
    long open = history.operations().stream().filter(RobustnessProgram::isUnknown).count();
    long delivered = history.streams().stream().mapToLong(EventStream::size).sum();
    operations += history.operations().size() + history.listings().size();
    unknown += open;
    events += delivered;
    result.injected().forEach((kind, count) -> injected.merge(kind, count, Integer::sum));
    result.notes().forEach((note, count) -> notes.merge(note, count, Integer::sum));
    List<String> violations = result.report().violations();
    boolean isGood = violations.isEmpty() && result.report().undecided().isEmpty();
    System.out.printf(
        "| %d | %d | %d | %d | %s | %.1f s | %s |%n",
        seed,
        history.operations().size() + history.listings().size(),
        open,
        delivered,
        result.injected(),
        result.checkTime().toMillis() / 1e3,
        isGood ? "good" : "**%d violations**".formatted(violations.size()));
    if (isGood) {
      Directories.deleteAll(directory);
      return true;
    }
    violations.stream().limit(5).forEach(System.out::println);
    System.out.println("undecided: " + result.report().undecided());
    System.out.println("kept: " + directory);
    HistoryFile.write(history, directory.resolve("history.json"));
    return false;
  }

  private static boolean isUnknown(Operation operation) {
    return operation.outcome() instanceof Outcome.Unknown;
  }
}
