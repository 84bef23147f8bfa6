package dev.stint.bench.kills;

import dev.stint.bench.disk.Directories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Kills {@code stint run} and {@code stint up} in turns, or several {@code run}s that share a
 * directory, at random moments, and checks that nothing is lost and nothing runs twice. See {@code
 * bench/kills} for the arguments.
 */
public final class KillsProgram {
  private static final int POLL_MILLIS = 200;
  private static final Duration LEFTOVERS_TIMEOUT = Duration.ofSeconds(20);

  private final KillsOptions options;
  private final Ballast ballast;
  private final KillPlan plan;
  private RoundResult sum = RoundResult.broken(List.of());
  private int rounds;

  private KillsProgram(KillsOptions options) throws IOException, InterruptedException {
    this.options = options;
    this.ballast =
        options.ballast() == 0
            ? Ballast.none()
            : Ballast.make(
                options.programs().first(),
                options.directory().resolve("ballast"),
                options.ballast());
    this.plan = new KillPlan(options.times(), options.machine());
  }

  /** Exits with 1 if something is lost. */
  public static void main(String[] arguments) throws Exception {
    System.exit(new KillsProgram(KillsOptions.of(List.of(arguments))).run() ? 0 : 1);
  }

  private boolean run() throws IOException, InterruptedException {
    System.out.println(
        "| seed | command | kills | of the machine | of several | of the holder | in recovery"
            + " | before it | attempts | cut off | ended twice | writes | result |");
    System.out.println("|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    int bad = 0;
    for (long seed = options.seed(); plan.kills() > 0; seed++) {
      bad += play(seed) ? 0 : 1;
      rounds++;
    }
    KillCounts kills = sum.kills();
    System.out.printf(
        "%d rounds, %d kills, %d of them of the machine, %d of several commands, %d of a holder that"
            + " others outlived, %d in a recovery, %d earlier in a start; %d attempts, %d cut off,"
            + " %d ended twice; %d writes; %d bad rounds%n",
        rounds,
        kills.all(),
        kills.ofMachine(),
        kills.ofSeveral(),
        kills.ofHolder(),
        kills.inRecovery(),
        kills.earlier(),
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
    RoundKind kind = options.kind(seed);
    // Half of the rounds begin without a data directory.
    Ballast atFirst = seed % 4 < 2 ? ballast : Ballast.none();
    SplittableRandom random = new SplittableRandom(seed);
    RoundResult result;
    try (Scene scene =
        new Scene(
            directory,
            options.programs(),
            kind.file(work, options.image()),
            plan,
            random,
            kind.ready(),
            options.startKills(),
            atFirst)) {
      result = kind.play(scene, directory, options);
      // A server goes on until then, as it may still remove some.
      result = result.with(leftovers());
    } catch (IOException fault) {
      result = RoundResult.broken(List.of("the round broke off: " + fault));
    }
    report(seed, kind, result);
    if (result.violations().isEmpty()) {
      Directories.deleteAll(directory);
      return true;
    }
    result.violations().stream().limit(5).forEach(System.out::println);
    System.out.println("kept: " + directory);
    return false;
  }

  /** Returns what is left over outside of the machine after a while. */
  private List<String> leftovers() throws IOException, InterruptedException {
    long end = System.nanoTime() + LEFTOVERS_TIMEOUT.toNanos();
    while (true) {
      Process process =
          new ProcessBuilder("sh", "-c", options.leftovers()).redirectErrorStream(true).start();
      List<String> found = process.inputReader().readAllLines();
      if (found.isEmpty() || System.nanoTime() > end) {
        return found.stream().map(each -> "left over: " + each).toList();
      }
      Thread.sleep(POLL_MILLIS);
    }
  }

  private void report(long seed, RoundKind kind, RoundResult result) {
    KillCounts kills = result.kills();
    System.out.printf(
        "| %d | %s | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d | %s |%n",
        seed,
        kind.name().toLowerCase(Locale.ROOT),
        kills.all(),
        kills.ofMachine(),
        kills.ofSeveral(),
        kills.ofHolder(),
        kills.inRecovery(),
        kills.earlier(),
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
