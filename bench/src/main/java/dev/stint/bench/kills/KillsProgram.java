package dev.stint.bench.kills;

import dev.stint.bench.disk.Directories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Kills {@code stint run} and {@code stint up} in turns, at random moments, and checks that nothing
 * is lost and nothing runs twice. See {@code bench/kills} for the arguments.
 */
public final class KillsProgram {
  private static final int MOST_KILLS_OF_ROUND = 5;

  private final Options options;
  private final KillPlan plan;
  private RoundResult sum = new RoundResult(0, 0, 0, 0, 0, 0, List.of());
  private int rounds;

  private KillsProgram(Options options) {
    this.options = options;
    this.plan = new KillPlan(options.times(), options.machine());
  }

  /** The arguments. */
  private record Options(
      Scene.Programs programs, Path directory, int times, int machine, long seed) {

    static Options of(List<String> arguments) {
      Path stint = Path.of(arguments.get(0)).toAbsolutePath();
      Path old = stint;
      int times = 20;
      int machine = -1;
      long seed = 1;
      if (arguments.size() % 2 != 0) {
        throw new IllegalArgumentException(arguments.getLast() + " needs a value");
      }
      for (int i = 2; i < arguments.size(); i += 2) {
        String value = arguments.get(i + 1);
        switch (arguments.get(i)) {
          case "--times" -> times = Integer.parseInt(value);
          case "--machine" -> machine = Integer.parseInt(value);
          case "--seed" -> seed = Long.parseLong(value);
          case "--old" -> old = Path.of(value).toAbsolutePath();
          case "--stint" -> {
            old = old.equals(stint) ? Path.of(value).toAbsolutePath() : old;
            stint = Path.of(value).toAbsolutePath();
          }
          default -> throw new IllegalArgumentException("what is " + arguments.get(i) + "?");
        }
      }
      return new Options(
          new Scene.Programs(old, stint),
          Path.of(arguments.get(1)).toAbsolutePath(),
          times,
          machine < 0 ? times / 5 : machine,
          seed);
    }

    /** Returns how often a command is killed in a round: a new program goes on after one kill. */
    int mostKills() {
      return programs.first().equals(programs.later()) ? MOST_KILLS_OF_ROUND : 1;
    }
  }

  /** Exits with 1 if something is lost. */
  public static void main(String[] arguments) throws Exception {
    System.exit(new KillsProgram(Options.of(List.of(arguments))).run() ? 0 : 1);
  }

  private boolean run() throws IOException, InterruptedException {
    System.out.println(
        "| seed | command | kills | of the machine | attempts | cut off | ended twice | writes |"
            + " result |");
    System.out.println("|---|---|---|---|---|---|---|---|---|");
    int bad = 0;
    for (long seed = options.seed(); plan.kills() > 0; seed++) {
      bad += play(seed) ? 0 : 1;
      rounds++;
    }
    System.out.printf(
        "%d rounds, %d kills, %d of them of the machine; %d attempts, %d cut off, %d ended twice;"
            + " %d writes; %d bad rounds%n",
        rounds,
        sum.kills(),
        sum.losses(),
        sum.attempts(),
        sum.cutOff(),
        sum.repeated(),
        sum.writes(),
        bad);
    return bad == 0;
  }

  private boolean play(long seed) throws IOException, InterruptedException {
    Path directory = options.directory().resolve(Long.toString(seed));
    Directories.deleteAll(directory);
    Path work = Files.createDirectories(directory.resolve("work"));
    boolean isRun = seed % 2 == 0;
    JobFile file = isRun ? RunRound.file(work) : UpRound.file(work);
    SplittableRandom random = new SplittableRandom(seed);
    RoundResult result;
    try (Scene scene = new Scene(directory, options.programs(), file, plan, random)) {
      result =
          isRun
              ? RunRound.play(scene, directory, options.mostKills())
              : UpRound.play(scene, options.mostKills());
    } catch (IOException fault) {
      result = new RoundResult(0, 0, 0, 0, 0, 0, List.of("the round broke off: " + fault));
    }
    report(seed, isRun ? "run" : "up", result);
    if (result.violations().isEmpty()) {
      Directories.deleteAll(directory);
      return true;
    }
    result.violations().stream().limit(5).forEach(System.out::println);
    System.out.println("kept: " + directory);
    return false;
  }

  private void report(long seed, String command, RoundResult result) {
    System.out.printf(
        "| %d | %s | %d | %d | %d | %d | %d | %d | %s |%n",
        seed,
        command,
        result.kills(),
        result.losses(),
        result.attempts(),
        result.cutOff(),
        result.repeated(),
        result.writes(),
        result.violations().isEmpty()
            ? "good"
            : "**%d violations**".formatted(result.violations().size()));
    sum = sum.plus(result);
  }
}
