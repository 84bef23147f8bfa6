package dev.stint.simulation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The worlds that every build plays: few and short ones that together do all that thousands do.
 * Done is each branch of our code, laws and faults included, that one world takes at least once, 8,
 * 64 or 512 times.
 */
final class GateSeeds {
  /** The last seed of the worlds that the gate stands for; the first is 1. */
  static final long OF = 2000;

  private static final Path FILE =
      Path.of("src", "test", "resources", "dev", "stint", "simulation", "gate-seeds.txt");
  private static final int A_LINE = 16;

  /** The steps that are worth as much as starting one more world. */
  private static final int START = 200;

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

  static List<Long> read() throws IOException {
    try (Stream<String> lines = Files.lines(FILE)) {
      return lines.flatMap(line -> Stream.of(line.split(" "))).map(Long::valueOf).toList();
    }
  }

  static void write(List<Long> seeds) throws IOException {
    List<Long> all = List.copyOf(new TreeSet<>(seeds));
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < all.size(); i += A_LINE) {
      lines.add(
          all.subList(i, Math.min(i + A_LINE, all.size())).stream()
              .map(String::valueOf)
              .collect(Collectors.joining(" ")));
    }
    Files.write(FILE, lines);
  }

  /** Plays all worlds to see what they do, and returns the seeds of those that are enough. */
  static List<Long> choose() {
    @SuppressWarnings("unchecked")
    LongFunction<int[]> player =
        new ReloadedClasses(new BranchProbes()::in).create(BranchCounts.class, LongFunction.class);
    List<World> left =
        LongStream.rangeClosed(1, OF)
            .parallel()
            .mapToObj(seed -> world(seed, player.apply(seed)))
            .collect(Collectors.toCollection(ArrayList::new));
    BitSet missing = new BitSet();
    left.forEach(world -> missing.or(world.done));
    int facts = missing.cardinality();
    int steps = left.stream().mapToInt(World::steps).sum();
    List<World> chosen = new ArrayList<>();
    while (!missing.isEmpty()) {
      World best =
          left.stream().max(Comparator.comparingDouble(world -> world.gain(missing))).orElseThrow();
      chosen.add(best);
      left.remove(best);
      missing.andNot(best.done);
    }
    System.out.printf(
        "%d worlds with %d steps do all of %d things that %d worlds with %d steps do%n",
        chosen.size(), chosen.stream().mapToInt(World::steps).sum(), facts, OF, steps);
    return chosen.stream().map(World::seed).toList();
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
