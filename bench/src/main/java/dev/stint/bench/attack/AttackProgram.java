package dev.stint.bench.attack;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Attacks servers of their own, one after the other, and prints a table in Markdown. Arguments: the
 * launcher, then names of attacks (default: all), or {@code mutate --requests N --seed S}.
 */
public final class AttackProgram {
  private static final String HEAP = "512m";

  private static final List<Attack> ATTACKS =
      List.of(
          new DoublingVariables(),
          new EmptyJobNames(),
          new HugeParallelism(),
          new FinishedPods(),
          new ManyObjects(),
          new ManyItems(),
          new ExecSessions(),
          new UnreadLists(),
          new StalledUploads(),
          new SlowHeads(),
          new ManyConnections(),
          new OneUserHoldsAll(),
          new RequestFlood(),
          new MetricsBodies());

  private final Path launcher;

  private AttackProgram(Path launcher) {
    this.launcher = launcher;
  }

  public static void main(String[] arguments) throws Exception {
    Path launcher = Path.of(arguments[0]).toAbsolutePath();
    List<String> names = Arrays.asList(arguments).subList(1, arguments.length);
    if (!names.isEmpty() && names.getFirst().equals("mutate")) {
      System.exit(MutationRun.of(launcher, names.subList(1, names.size())).run() ? 0 : 1);
    }
    List<Attack> chosen = chosen(names);
    if (chosen.isEmpty()) {
      System.err.println(
          "bench/attack: unknown attack; known: "
              + String.join(", ", ATTACKS.stream().map(Attack::name).toList())
              + ", mutate");
      System.exit(2);
    }
    System.exit(new AttackProgram(launcher).run(chosen) ? 0 : 1);
  }

  private static List<Attack> chosen(List<String> names) {
    List<String> known = ATTACKS.stream().map(Attack::name).toList();
    return known.containsAll(names)
        ? ATTACKS.stream().filter(a -> names.isEmpty() || names.contains(a.name())).toList()
        : List.of();
  }

  private boolean run(List<Attack> attacks) throws Exception {
    System.out.println(
        """
        | attack | answers | RSS | heap of 512 MB | /readyz p50 / p99 / max | another's Job during, after | lives | ends | starts again |
        | --- | --- | --- | --- | --- | --- | --- | --- | --- |\
        """);
    boolean good = true;
    for (Attack attack : attacks) {
      Row row = row(attack);
      System.out.println(row.line());
      good &= row.isGood();
    }
    return good;
  }

  /** The measurements of one attack. */
  private record Attacked(
      String answers, ProbeLatencies ready, Optional<Duration> during, long resident) {}

  /** A row of the table. */
  private record Row(
      Attack attack,
      Attacked attacked,
      long resident,
      long heap,
      Optional<Duration> after,
      boolean lives,
      boolean ends,
      Optional<Duration> again,
      List<String> faults) {

    boolean isGood() {
      return lives
          && ends
          && attacked.during().isPresent()
          && after.isPresent()
          && again.isPresent();
    }

    String line() {
      return "| %s | %s | %d MB | %d MB | %s | %s, %s | %s | %s | %s |%s"
          .formatted(
              attack.description(),
              attacked.answers(),
              resident >> 20,
              heap,
              attacked.ready(),
              seconds(attacked.during()),
              seconds(after),
              lives ? "yes" : "**no**",
              ends ? "yes" : "**no**",
              seconds(again),
              faults.isEmpty() ? "" : "\n<!-- logged: " + String.join(" / ", faults) + " -->");
    }

    private static String seconds(Optional<Duration> time) {
      return time.map(each -> "%.1f s".formatted(each.toMillis() / 1e3)).orElse("**never**");
    }
  }

  private Row row(Attack attack) throws Exception {
    Path directory = Files.createTempDirectory("stint-attack-" + attack.name());
    try (AttackedServer target = AttackedServer.up(launcher, directory, HEAP, attack.options())) {
      Bystander bystander = new Bystander(target, target.adminToken());
      bystander.begin();
      Attacked attacked = attacked(attack, target, bystander);
      Optional<Duration> after = bystander.runJob("after");
      long resident = Math.max(attacked.resident(), target.highestResident());
      long heap = target.highestHeap();
      boolean lives = target.isAlive();
      boolean ends = target.stop() && lives;
      Optional<Duration> again = startAgain(attack, directory);
      return new Row(attack, attacked, resident, heap, after, lives, ends, again, target.faults());
    }
  }

  /** Attacks while a probe asks for readiness, and a bystander runs a Job. */
  private static Attacked attacked(Attack attack, AttackedServer target, Bystander bystander)
      throws Exception {
    try (Scene scene = Scene.of(target);
        ReadinessProbe probe = new ReadinessProbe(target.port())) {
      CompletableFuture<Optional<Duration>> during =
          CompletableFuture.supplyAsync(
              () -> bystander.runJob("during"),
              CompletableFuture.delayedExecutor(2, TimeUnit.SECONDS, Thread::startVirtualThread));
      String answers = attempt(attack, scene);
      ProbeLatencies ready = probe.latencies().copy();
      attack.giveUp(scene);
      return new Attacked(answers, ready, during.join(), target.highestResident());
    }
  }

  private static String attempt(Attack attack, Scene scene) {
    try {
      return attack.run(scene);
    } catch (Exception broken) {
      return "broken off: " + broken;
    }
  }

  /** Starts on the same data; returns the time until somebody else's Job is complete. */
  private Optional<Duration> startAgain(Attack attack, Path directory) {
    List<String> options = new ArrayList<>(attack.options());
    try (AttackedServer again = AttackedServer.up(launcher, directory, HEAP, options)) {
      Bystander bystander = new Bystander(again, again.adminToken());
      Optional<Duration> time =
          bystander.findsMarker() ? bystander.runJob("again") : Optional.empty();
      Thread.sleep(3_000);
      return again.isAlive() && again.stop() ? time : Optional.empty();
    } catch (Exception failed) {
      System.err.println("does not start again: " + failed);
      return Optional.empty();
    }
  }
}
