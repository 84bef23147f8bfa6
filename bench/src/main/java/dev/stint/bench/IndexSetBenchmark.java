package dev.stint.bench;

import dev.stint.model.index.IndexSet;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the work on index sets for one status write, at 100,000 indexes, the maximum of a Job:
 * parse the text, add the 500 indexes of a round, format the text again.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class IndexSetBenchmark {
  private static final int COMPLETIONS = 100_000;
  private static final int ROUND = 500;

  /** The indexes in the set. */
  public enum Pattern {
    FULL,
    RANDOM_95_PERCENT,
    RANDOM_50_PERCENT,
    ALTERNATING;

    IntPredicate members() {
      Random random = new Random(1);
      return switch (this) {
        case FULL -> index -> true;
        case RANDOM_95_PERCENT -> index -> random.nextInt(100) < 95;
        case RANDOM_50_PERCENT -> index -> random.nextBoolean();
        case ALTERNATING -> index -> index % 2 == 0;
      };
    }
  }

  @Param public Pattern pattern = Pattern.FULL;

  private IndexSet set = IndexSet.EMPTY;
  private IndexSet round = IndexSet.EMPTY;
  private String text = "";

  @Setup
  public void setUp() {
    IndexSet.Builder members = IndexSet.builder();
    IntPredicate isMember = pattern.members();
    for (int index = 0; index < COMPLETIONS; index++) {
      if (isMember.test(index)) {
        members.add(index);
      }
    }
    set = members.build();
    text = set.toString();
    IndexSet.Builder some = IndexSet.builder();
    new Random(2).ints(ROUND, 0, COMPLETIONS).forEach(some::add);
    round = some.build();
  }

  @Benchmark
  public IndexSet parse() throws IndexSet.FormatException {
    return IndexSet.parse(text);
  }

  @Benchmark
  public String print() {
    return set.toString();
  }

  @Benchmark
  public IndexSet union() {
    return set.union(round);
  }
}
