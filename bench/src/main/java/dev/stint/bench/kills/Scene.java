package dev.stint.bench.kills;

import dev.stint.bench.robustness.UpApi;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** A machine with a data directory, on which commands are killed and started again. */
final class Scene implements AutoCloseable {
  /** Longer than a shim may need to notice that its command has ended. */
  private static final Duration NOTICE = Duration.ofMillis(500);

  private static final int LONGEST_PAUSE_MILLIS = 300;

  private final Path directory;
  private final Programs programs;
  private final JobFile file;
  private final KillPlan plan;
  private final SplittableRandom random;
  private final Machine machine;
  private final StartKills startKills;
  private final Ballast ballast;
  private final Map<String, Map<Integer, Integer>> finished = new HashMap<>();
  private int starts;
  private int kills;
  private int losses;
  private int ofSeveral;
  private int ofHolder;
  private int killedStarts;

  /**
   * The programs that are tried.
   *
   * @param first the one of the first start
   * @param later the one of all other starts
   * @param options all of their options that choose how pods run
   */
  record Programs(Path first, Path later, List<String> options) {}

  /**
   * @param ready what the command prints when it is ready
   * @param startKills how many starts are killed one after the other at most
   * @param ballast what the data directory has at first
   */
  Scene(
      Path directory,
      Programs programs,
      JobFile file,
      KillPlan plan,
      SplittableRandom random,
      String ready,
      int startKills,
      Ballast ballast)
      throws IOException, InterruptedException {
    this.directory = directory;
    this.programs = programs;
    this.file = file;
    this.plan = plan;
    this.random = random;
    this.startKills =
        new StartKills(data().resolve("lock"), output(), ready, startKills, random.split());
    this.ballast = ballast;
    ballast.copyTo(data());
    this.machine = Machine.start(directory, random, programs.options().isEmpty());
  }

  Path data() {
    return directory.resolve("data");
  }

  Path output() {
    return directory.resolve("output");
  }

  Ballast ballast() {
    return ballast;
  }

  JobFile file() {
    return file;
  }

  SplittableRandom random() {
    return random;
  }

  /** True if another kill is to come in this round. */
  boolean mayKill(int most) {
    return plan.kills() > 0 && (startKills.isNext() || kills - killedStarts < most);
  }

  /** True if the next start is to be killed before it is ready. */
  boolean killsStart() {
    return startKills.isNext();
  }

  /** Starts the command that is killed. */
  Machine.Command start(List<String> arguments) throws IOException {
    startKills.onStart();
    return startAlso(arguments, output());
  }

  /** Starts one of several commands that are killed. */
  Machine.Command startAlso(List<String> arguments, Path output) throws IOException {
    List<String> all = new ArrayList<>(arguments);
    all.addAll(programs.options());
    return start(all, output);
  }

  Machine.Command start(List<String> arguments, Path output) throws IOException {
    List<String> command = new ArrayList<>();
    command.add((starts++ == 0 ? programs.first() : programs.later()).toString());
    command.addAll(arguments);
    command.addAll(List.of("--data", data().toString()));
    return machine.start(command, output);
  }

  /** Waits up to a random time. Returns false if the command has ended by itself. */
  boolean letRun(Machine.Command command, int longestMillis)
      throws IOException, InterruptedException {
    if (startKills.isNext()) {
      return startKills.letStart(command);
    }
    return !command.endsWithin(Duration.ofMillis(random.nextInt(longestMillis)));
  }

  /**
   * Kills some commands at once or the machine, and leaves what runs on to itself for a while.
   *
   * @return true if it was the machine
   */
  boolean kill(List<Machine.Command> commands, List<String> jobs)
      throws IOException, InterruptedException {
    kills++;
    String boot = machine.boots().getLast();
    Instant latest = Instant.now().minus(NOTICE);
    boolean tookMachine = plan.kill(machine, commands, random);
    if (tookMachine) {
      losses++;
      for (String job : jobs) {
        file.finished(job, boot, latest).forEach(finished(job)::putIfAbsent);
      }
    } else if (commands.size() > 1) {
      ofSeveral++;
    }
    killedStarts += startKills.isNext() ? 1 : 0;
    startKills.onKill();
    Thread.sleep(random.nextInt(LONGEST_PAUSE_MILLIS));
    return tookMachine;
  }

  /** Counts the last kill as one of the holder that others outlived. */
  void countKillOfHolder() {
    ofHolder++;
  }

  /** Returns, by index, how many attempts had begun when the index had finished for certain. */
  Map<Integer, Integer> finished(String job) {
    return finished.computeIfAbsent(job, _ -> new HashMap<>());
  }

  /** Waits until the command has ended, and kills it if that takes too long. */
  int waitFor(Machine.Command command, Duration longest) throws InterruptedException {
    if (!command.endsWithin(longest)) {
      command.kill();
    }
    return command.waitFor();
  }

  /**
   * {@code up} goes on with the data that other commands leave, and has all that was there first.
   */
  List<String> ballastDifferences() throws IOException, InterruptedException {
    if (ballast.isNone()) {
      return List.of();
    }
    UpApi server = UpApi.of(data());
    Machine.Command up = start(List.of("up", "--listen", server.address()));
    server.awaitReady(up::isAlive);
    List<String> differences = ballast.differences(server);
    up.kill();
    return differences;
  }

  /** Sums up the round. */
  RoundResult result(List<String> jobs, int writes, List<String> violations) throws IOException {
    int begun = 0;
    int cutOff = 0;
    int repeated = 0;
    for (String job : jobs) {
      for (List<RecordedAttempt> attempts : file.attempts(job).values()) {
        long ended = attempts.stream().filter(RecordedAttempt::isEnded).count();
        begun += attempts.size();
        cutOff += (int) (attempts.size() - ended);
        repeated += (int) Math.max(0, ended - 1);
      }
    }
    return new RoundResult(
        new KillCounts(
            kills, losses, ofSeveral, ofHolder, startKills.inRecovery(), startKills.earlier()),
        begun,
        cutOff,
        repeated,
        writes,
        violations);
  }

  @Override
  public void close() {
    machine.close();
  }
}
