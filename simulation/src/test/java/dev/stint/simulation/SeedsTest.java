package dev.stint.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * Random Jobs on a system with random faults. Each build plays the same {@value #GATE} worlds.
 * {@code -Dworlds=N} plays N others, one per processor at a time, from a seed that is derived from
 * the time, or from {@code -Dfirst=K} on.
 *
 * <p>It is slow because rare faults need many worlds: of the {@link Mutations}, one is found by one
 * world in a thousand.
 */
class SeedsTest {
  private static final int GATE = 2000;

  @Test
  @Covers({"TR-11", "TR-12", "TR-18", "TR-44", "SP-19", "SP-20", "MB-14", "MB-15", "MB-20"})
  void everyLawHoldsWhateverHappens() {
    LoggerFactory.getLogger(SeedsTest.class); // Once, before worlds ask for loggers at once.
    long worlds = Long.getLong("worlds", GATE);
    long first = first();
    System.out.printf("worlds of the seeds %d to %d%n", first, first + worlds - 1);
    Map<Long, Throwable> broken = new ConcurrentSkipListMap<>();
    LongStream.range(first, first + worlds)
        .parallel()
        .forEach(seed -> {
          try {
            new SeededRun(seed).play();
          } catch (AssertionError wrong) {
            broken.put(seed, wrong);
          }
        });
    broken.forEach((seed, wrong) -> {
      throw new AssertionError(
          "seeds " + broken.keySet() + "; " + replay(seed) + "\n" + wrong.getMessage(), wrong);
    });
  }

  /** Returns the first seed: 1 for the gate, a random one for others. */
  private static long first() {
    boolean gate = System.getProperty("worlds") == null;
    return Long.getLong("first", gate ? 1 : System.currentTimeMillis());
  }

  private static String replay(long seed) {
    return "to play the first of them again: mvn -B verify -pl build/covers,simulation -am"
        + " -Dtest=SeedsTest -Dsurefire.failIfNoSpecifiedTests=false -Dworlds=1 -Dtrace=500 -Dfirst="
        + seed;
  }

  @Test
  void aSeedPlaysTheSameEveryTime() {
    for (long seed = 1; seed <= 5; seed++) {
      assertThat(digest(seed)).as("seed %d", seed).isEqualTo(digest(seed));
    }
  }

  private static long digest(long seed) {
    SeededRun run = new SeededRun(seed);
    run.play();
    return run.digest();
  }
}
