package dev.stint.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * Random Jobs on a system with random faults. Each build plays the worlds of {@link GateSeeds}.
 * {@code -Dworlds=N} plays N others, one per processor at a time, from a seed that is derived from
 * the time, or from {@code -Dfirst=K} on.
 *
 * <p>It is slow because it takes hundreds of worlds to take each branch.
 */
class SeedsTest {
  private static final @Nullable Long WORLDS = Long.getLong("worlds");

  @Test
  @Covers({"TR-11", "TR-12", "TR-18", "TR-44", "SP-19", "SP-20", "MB-14", "MB-15", "MB-20"})
  void everyLawHoldsWhateverHappens() throws IOException {
    LoggerFactory.getLogger(SeedsTest.class); // Once, before worlds ask for loggers at once.
    Map<Long, Throwable> broken = new ConcurrentSkipListMap<>();
    Map<Long, Integer> steps = new ConcurrentHashMap<>();
    seeds()
        .parallel()
        .forEach(seed -> {
          try {
            SeededRun run = new SeededRun(seed);
            run.play();
            steps.put(seed, run.steps());
          } catch (AssertionError wrong) {
            broken.put(seed, wrong);
          }
        });
    broken.forEach((seed, wrong) -> {
      throw new AssertionError(
          "seeds " + broken.keySet() + "; " + replay(seed) + "\n" + wrong.getMessage(), wrong);
    });
    if (WORLDS == null) {
      GateSeeds.reportChanges(steps);
    }
  }

  /** Returns those of the gate, or a random range. */
  private static LongStream seeds() throws IOException {
    if (WORLDS == null) {
      return GateSeeds.read().keySet().stream().mapToLong(Long::longValue);
    }
    long first = Long.getLong("first", System.currentTimeMillis());
    System.out.printf("worlds of the seeds %d to %d%n", first, first + WORLDS - 1);
    return LongStream.range(first, first + WORLDS);
  }

  private static String replay(long seed) {
    return "to play the first of them again: mvn -B verify -pl build/covers,simulation -am"
        + " -Dtest=SeedsTest -Dsurefire.failIfNoSpecifiedTests=false -Dworlds=1 -Dtrace=500 -Dfirst="
        + seed;
  }

  @Test
  void aSeedPlaysTheSameEveryTime() {
    for (long seed = 1; seed <= 3; seed++) {
      assertThat(digest(seed)).as("seed %d", seed).isEqualTo(digest(seed));
    }
  }

  private static long digest(long seed) {
    SeededRun run = new SeededRun(seed);
    run.play();
    return run.digest();
  }
}
