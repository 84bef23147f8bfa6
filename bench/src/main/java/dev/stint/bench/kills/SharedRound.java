package dev.stint.bench.kills;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Kills several {@code run}s that share a data directory, each with a Job of its own: one of them,
 * some of them, or all at once, whether they hold the directory or have joined the one that does.
 */
final class SharedRound {
  private static final int MOST_KILLS = 10;

  private static final int LONGEST_MILLIS = 800;

  /** One of so many kills comes at any moment, such as while one of them takes over or starts. */
  private static final int ANY_MOMENT = 3;

  private static final int ANY_MOMENT_MILLIS = 300;

  /** After one of so many kills, the others must go on before anything is started again. */
  private static final int LOOKS = 3;

  private static final int POLL_MILLIS = 20;
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final Duration END_TIMEOUT = Duration.ofSeconds(60);

  private final Scene scene;
  private final RandomGenerator random;
  private final HolderWatch watch;
  private final List<SharedRun> runs = new ArrayList<>();
  private final List<String> violations = new ArrayList<>();

  private SharedRound(Scene scene, HolderWatch watch) {
    this.scene = scene;
    this.random = scene.random();
    this.watch = watch;
  }

  static JobFile file(Path directory, String image) {
    return new JobFile(directory, 30, 3, 6, "0.05", image, false);
  }

  static RoundResult play(Scene scene, Path directory, int runs)
      throws IOException, InterruptedException {
    try (HolderWatch watch = HolderWatch.of(scene.data())) {
      SharedRound round = new SharedRound(scene, watch);
      for (int i = 0; i < runs; i++) {
        round.runs.add(SharedRun.of(scene, directory, "work-" + i));
      }
      return round.play();
    }
  }

  private RoundResult play() throws IOException, InterruptedException {
    while (scene.mayKill(MOST_KILLS) && !runs.stream().allMatch(SharedRun::isOver)) {
      startSome();
      letRun();
      List<SharedRun> alive = alive();
      if (!alive.isEmpty()) {
        kill(alive);
      }
    }
    start(runs);
    for (SharedRun run : runs) {
      run.awaitEnd(END_TIMEOUT);
    }
    violations.addAll(watch.violations());
    for (SharedRun run : runs) {
      violations.addAll(run.violations());
    }
    violations.addAll(scene.ballastDifferences());
    return scene.result(jobs(), 0, violations);
  }

  private List<String> jobs() {
    return runs.stream().map(SharedRun::name).toList();
  }

  private List<SharedRun> alive() throws IOException, InterruptedException {
    List<SharedRun> alive = new ArrayList<>();
    for (SharedRun run : runs) {
      if (run.pollAlive()) {
        alive.add(run);
      }
    }
    return alive;
  }

  /** Starts two of three that were killed, and at least one if none is alive. */
  private void startSome() throws IOException, InterruptedException {
    List<SharedRun> left = new ArrayList<>(runs.stream().filter(SharedRun::mayStart).toList());
    Collections.shuffle(left, random);
    int least = alive().isEmpty() ? 1 : 0;
    for (int i = 0; i < left.size(); i++) {
      if (i < least || random.nextInt(3) > 0) {
        start(List.of(left.get(i)));
      }
    }
  }

  private void start(List<SharedRun> some) throws IOException, InterruptedException {
    for (SharedRun run : some) {
      if (run.mayStart()) {
        watch.add(run.start());
      }
    }
  }

  private void letRun() throws IOException, InterruptedException {
    if (random.nextInt(ANY_MOMENT) == 0) {
      Thread.sleep(random.nextInt(ANY_MOMENT_MILLIS));
      return;
    }
    for (SharedRun run : alive()) {
      await(run, run::isReady, "does not start");
    }
    Thread.sleep(random.nextInt(LONGEST_MILLIS));
  }

  private void kill(List<SharedRun> alive) throws IOException, InterruptedException {
    List<SharedRun> holders = alive.stream().filter(run -> watch.isHolder(run.command())).toList();
    List<SharedRun> victims = chosen(alive, holders);
    boolean isHolder = victims.stream().anyMatch(holders::contains);
    boolean tookMachine = scene.kill(victims.stream().map(SharedRun::command).toList(), jobs());
    for (SharedRun run : tookMachine ? alive : victims) {
      run.onKill();
    }
    if (!tookMachine && victims.size() < alive.size()) {
      if (isHolder) {
        scene.countKillOfHolder();
      }
      if (random.nextInt(LOOKS) == 0) {
        awaitProgress();
      }
    }
  }

  /** Returns one of them, which is the holder more often, or one time out of two several. */
  private List<SharedRun> chosen(List<SharedRun> alive, List<SharedRun> holders) {
    List<SharedRun> mixed = new ArrayList<>(alive);
    Collections.shuffle(mixed, random);
    if (random.nextBoolean()) {
      mixed.sort(Comparator.comparing(run -> !holders.contains(run)));
    }
    int count = random.nextBoolean() ? 1 : 1 + random.nextInt(alive.size());
    return mixed.subList(0, count);
  }

  /** Each command that is still alive must begin one more attempt. */
  private void awaitProgress() throws IOException, InterruptedException {
    for (SharedRun run : alive()) {
      int before = run.begun();
      await(run, () -> run.begun() > before, "does not go on after others were killed");
    }
  }

  /** A state that a command reaches. */
  private interface Goal {
    boolean isReached() throws IOException;
  }

  /** Waits until a goal is reached, or the command comes to its end. */
  private void await(SharedRun run, Goal goal, String violation)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + TIMEOUT.toNanos();
    while (run.pollAlive() && !goal.isReached()) {
      if (System.nanoTime() > end) {
        violations.add(run.name() + ": " + violation);
        return;
      }
      Thread.sleep(POLL_MILLIS);
    }
  }
}
