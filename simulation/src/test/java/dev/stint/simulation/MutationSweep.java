package dev.stint.simulation;

import dev.stint.apiserver.ApiServer;
import dev.stint.controllers.job.JobControllerOptions;
import dev.stint.engine.Decision;
import dev.stint.model.KubeObject;
import dev.stint.reconcile.RetryingCluster;
import dev.stint.store.Store;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Changes our code at each place where a slip of the hand could, one at a time, and plays the
 * worlds of the gate until a law breaks. Prints the changes that no world notices. See
 * docs/simulation.md.
 */
public final class MutationSweep {
  private static final List<Class<?>> ONE_OF_EACH_MODULE =
      List.of(
          Decision.class,
          JobControllerOptions.class,
          RetryingCluster.class,
          KubeObject.class,
          ApiServer.class,
          Store.class);

  private static final String SEEDS_OF_A_KIND = "100";

  private final List<Long> seeds;
  private final PrintStream out;

  /**
   * The outcome of a change.
   *
   * @param seed the world that noticed; 0 if none did
   */
  private record Outcome(Mutation change, long seed) {}

  private MutationSweep(List<Long> seeds, PrintStream out) {
    this.seeds = seeds;
    this.out = out;
  }

  /**
   * Takes the names of packages, classes or methods below {@code dev.stint}, such as {@code
   * engine.policy}. Before them may be {@code --kind KIND} for worlds of that kind instead of those
   * of the gate, and {@code --seeds N} for the seeds up to N.
   */
  public static void main(String... args) throws Exception {
    LoggerFactory.getLogger(MutationSweep.class); // Once, before worlds ask for loggers at once.
    List<String> names = new ArrayList<>(Arrays.asList(args));
    String kind = option(names, "--kind");
    String most = option(names, "--seeds");
    if (names.isEmpty() || names.getFirst().startsWith("-")) {
      System.err.println("Usage: build/mutants [--kind KIND] [--seeds N] PACKAGE|CLASS|METHOD...");
      System.exit(2);
    }
    WorldKind worlds = kind == null ? WorldKind.JOBS : WorldKind.valueOf(kind);
    List<Long> seeds = new ArrayList<>(kind == null ? GateSeeds.read().keySet() : List.<Long>of());
    String others = kind == null ? "0" : SEEDS_OF_A_KIND;
    LongStream.rangeClosed(1, Long.parseLong(Objects.requireNonNullElse(most, others)))
        .forEach(seeds::add);
    new MutationSweep(seeds, System.out)
        .sweep(changes(names).stream().map(change -> change.in(worlds)).toList());
  }

  /** Removes a leading option, and returns its value; null if there is none. */
  private static @Nullable String option(List<String> arguments, String name) {
    if (arguments.size() < 2 || !arguments.getFirst().equals(name)) {
      return null;
    }
    String value = arguments.get(1);
    arguments.subList(0, 2).clear();
    return value;
  }

  private void sweep(List<Mutation> changes) {
    MutatedCode code = new MutatedCode(changes);
    List<Outcome> outcomes =
        changes.parallelStream().map(change -> outcome(change, code.player(change))).toList();
    Map<String, List<Outcome>> byType =
        outcomes.stream()
            .collect(
                Collectors.groupingBy(
                    outcome -> outcome.change().type(), TreeMap::new, Collectors.toList()));
    byType.forEach(this::print);
    print("all", outcomes);
  }

  private void print(String what, List<Outcome> outcomes) {
    long noticed = outcomes.stream().filter(outcome -> outcome.seed() != 0).count();
    out.printf("%s: %d of %d noticed%n", what, noticed, outcomes.size());
  }

  private Outcome outcome(Mutation change, LongConsumer player) {
    Outcome outcome = new Outcome(change, noticing(player));
    out.println((outcome.seed() == 0 ? "not noticed: " : outcome.seed() + ": ") + change.key());
    return outcome;
  }

  private long noticing(LongConsumer player) {
    return seeds.stream().filter(seed -> notices(player, seed)).findFirst().orElse(0L);
  }

  private static boolean notices(LongConsumer player, long seed) {
    try {
      player.accept(seed);
      return false;
    } catch (AssertionError | RuntimeException | StackOverflowError broken) {
      return true;
    }
  }

  /** Returns the changes to all methods whose names begin with one of the names. */
  private static List<Mutation> changes(List<String> names) throws Exception {
    List<Mutation> changes = new ArrayList<>();
    for (Class<?> one : ONE_OF_EACH_MODULE) {
      for (String type : classesBeside(one)) {
        PointMutations.of(type).stream()
            .filter(change -> names.stream().anyMatch(name -> isBelow(name, change.place())))
            .forEach(changes::add);
      }
    }
    return changes;
  }

  private static boolean isBelow(String name, String place) {
    return (place + ".").startsWith(name + ".");
  }

  private static List<String> classesBeside(Class<?> one) throws IOException, URISyntaxException {
    Path root = Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
    Path ours = root.resolve("dev/stint");
    try (Stream<Path> files = Files.walk(ours)) {
      return files
          .map(file -> ours.relativize(file).toString().replace('/', '.'))
          .filter(name -> name.endsWith(".class") && !name.endsWith("-info.class"))
          .map(name -> name.substring(0, name.length() - ".class".length()))
          .toList();
    }
  }
}
