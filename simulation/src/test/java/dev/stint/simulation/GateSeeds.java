package dev.stint.simulation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * The worlds that every build plays: few and short ones that together do all that thousands do.
 * Done is each branch of our code, laws and faults included, that one world takes at least once, 8,
 * 64 or 512 times.
 */
final class GateSeeds {
  /** The last seed of the usual worlds that the gate stands for; the first is 1. */
  static final long OF = 2000;

  /** The worlds with loose pods for which it stands, too. */
  private static final long LOOSE = 400;

  private static final Path FILE =
      Path.of("src", "test", "resources", "dev", "stint", "simulation", "gate-seeds.txt");
  private static final int A_LINE = 10;

  /** The steps that are worth as much as starting one more world. */
  private static final int START = 200;

  /** The numbers of worlds in the table of docs/simulation.md. */
  private static final Set<Integer> REPORTED = Set.of(20, 100);

  private static final int THRESHOLDS = 4;
  private static final int BITS_BETWEEN = 3;

  private GateSeeds() {}

  /** The things that one world does, and its length in steps. */
  private record World(long seed, BitSet done, int steps) {
    double gain(BitSet missing) {
      BitSet more = (BitSet) done.clone();
      more.and(missing);
      return (double) more.cardinality() / (steps + START);
    }
  }

  /** Returns the seeds of the gate, and the steps that each world took when it was chosen. */
  static SequencedMap<Long, Integer> read() throws IOException {
    SequencedMap<Long, Integer> seeds = new LinkedHashMap<>();
    for (String each : Files.readString(FILE).trim().split("\\s+")) {
      String[] seedAndSteps = each.split(":");
      seeds.put(Long.valueOf(seedAndSteps[0]), Integer.valueOf(seedAndSteps[1]));
    }
    return seeds;
  }

  static void write(Collection<Long> seeds) throws IOException {
    List<String> all =
        new TreeSet<>(seeds).stream().map(seed -> seed + ":" + stepsOf(seed)).toList();
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < all.size(); i += A_LINE) {
      lines.add(String.join(" ", all.subList(i, Math.min(i + A_LINE, all.size()))));
    }
    Files.write(FILE, lines);
  }

  private static int stepsOf(long seed) {
    SeededRun run = new SeededRun(seed);
    run.play();
    return run.steps();
  }

  /** Prints what to do if worlds of the gate do not play any more as when they were chosen. */
  static void reportChanges(Map<Long, Integer> stepsNow) throws IOException {
    Map<Long, Integer> chosen = read();
    long changed = changed(chosen, stepsNow);
    if (changed > 0) {
      System.out.printf(
          "OUT OF DATE: %d of the %d worlds of the gate play otherwise than when they were chosen;"
              + " to choose anew, see docs/simulation.md%n",
          changed, chosen.size());
    }
  }

  /** Returns how many worlds take another number of steps than before. */
  static long changed(Map<Long, Integer> before, Map<Long, Integer> now) {
    return now.entrySet().stream()
        .filter(world -> !world.getValue().equals(before.get(world.getKey())))
        .count();
  }

  /** Plays all worlds to see what they do, and returns the seeds of those that are enough. */
  static List<Long> choose() {
    @SuppressWarnings("unchecked")
    LongFunction<int[]> player =
        new ReloadedClasses(new BranchProbes()::in).create(BranchCounts.class, LongFunction.class);
    List<World> left =
        candidates()
            .parallel()
            .mapToObj(seed -> world(seed, player.apply(seed)))
            .collect(Collectors.toCollection(ArrayList::new));
    BitSet missing = new BitSet();
    left.forEach(world -> missing.or(world.done));
    System.out.printf(
        "%d worlds with %d steps do %d things%n", OF, steps(left), missing.cardinality());
    List<World> chosen = new ArrayList<>();
    while (!missing.isEmpty()) {
      World best =
          left.stream().max(Comparator.comparingDouble(world -> world.gain(missing))).orElseThrow();
      chosen.add(best);
      left.remove(best);
      missing.andNot(best.done);
      if (REPORTED.contains(chosen.size()) || missing.isEmpty()) {
        System.out.printf(
            "%d with %d steps do all but %d%n",
            chosen.size(), steps(chosen), missing.cardinality());
      }
    }
    return chosen.stream().map(World::seed).toList();
  }

  private static LongStream candidates() {
    return LongStream.concat(
        LongStream.rangeClosed(1, OF),
        LongStream.range(LoosePods.FIRST_SEED, LoosePods.FIRST_SEED + LOOSE));
  }

  private static int steps(List<World> worlds) {
    return worlds.stream().mapToInt(World::steps).sum();
  }

  private static World world(long seed, int[] counts) {
    BitSet done = new BitSet();
    int steps = counts[counts.length - 1];
    for (int branch = 0; branch < counts.length - 1; branch++) {
      if (counts[branch] > 0) {
        int magnitude = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(counts[branch]);
        int reached = Math.min(magnitude / BITS_BETWEEN + 1, THRESHOLDS);
        done.set(THRESHOLDS * branch, THRESHOLDS * branch + reached);
      }
    }
    return new World(seed, done, steps);
  }
}
