package dev.stint.simulation;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;

/**
 * Changes our code at each place where a slip of the hand could, one at a time, and plays the
 * worlds of the gate until a law breaks. Prints the changes that no world notices. See
 * docs/simulation.md.
 */
public final class MutationSweep {
  private final List<Long> seeds;
  private final PrintStream out;

  /**
   * What became of a change.
   *
   * @param seed the world that noticed; 0 if none did
   */
  private record Outcome(Mutation change, long seed) {}

  private MutationSweep(List<Long> seeds, PrintStream out) {
    this.seeds = seeds;
    this.out = out;
  }

  /** Takes the names of classes or packages below {@code dev.stint}, such as {@code engine}. */
  public static void main(String... args) throws Exception {
    LoggerFactory.getLogger(MutationSweep.class); // Once, before worlds ask for loggers at once.
    if (args.length == 0) {
      System.err.println("Usage: build/mutants CLASS|PACKAGE...   # such as engine.policy");
      System.exit(2);
    }
    List<Long> seeds = new ArrayList<>(GateSeeds.read().keySet());
    new MutationSweep(seeds, System.out).sweep(classes(Arrays.asList(args)));
  }

  private void sweep(List<String> types) throws IOException {
    List<Mutation> changes = new ArrayList<>();
    for (String type : types) {
      changes.addAll(PointMutations.of(type, code(type)));
    }
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
    if (outcome.seed() == 0) {
      out.println("not noticed: " + change.key());
    }
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

  private static byte[] code(String type) throws IOException {
    String path = (ReloadedClasses.OURS + type).replace('.', '/') + ".class";
    try (InputStream in = MutationSweep.class.getClassLoader().getResourceAsStream(path)) {
      if (in == null) {
        throw new IllegalArgumentException("no such class: " + type);
      }
      return in.readAllBytes();
    }
  }

  /** Returns the names of all classes of the main code that begin with one of the names. */
  private static List<String> classes(List<String> names) throws Exception {
    List<String> found = new ArrayList<>();
    for (Class<?> one :
        List.of(
            dev.stint.engine.Decision.class,
            dev.stint.controllers.job.JobControllerOptions.class,
            dev.stint.reconcile.RetryingCluster.class,
            dev.stint.model.KubeObject.class)) {
      found.addAll(classesBeside(one));
    }
    return found.stream()
        .filter(type -> names.stream().anyMatch(name -> (type + ".").startsWith(name + ".")))
        .sorted()
        .toList();
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
