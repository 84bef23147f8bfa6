package dev.stint.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * Random Jobs on a system that anything may happen to. {@code -Dseeds=N -Dfirst=K} plays N seeds
 * from K on, each in a world of its own, as many at once as there are processors.
 */
class SeedsTest {
  private static final int SEEDS = 2000;

  @Test
  @Covers({"TR-11", "TR-12", "TR-18", "TR-44", "SP-19", "SP-20", "MB-14", "MB-15", "MB-20"})
  void everyLawHoldsWhateverHappens() {
    LoggerFactory.getLogger(SeedsTest.class); // Once, before worlds ask for loggers at once.
    long first = Long.getLong("first", 1);
    long seeds = Long.getLong("seeds", SEEDS);
    Map<Long, Throwable> broken = new ConcurrentSkipListMap<>();
    LongStream.range(first, first + seeds)
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

  private static String replay(long seed) {
    return "to play the first of them again: mvn -B verify -pl build/covers,simulation -am"
        + " -Dtest=SeedsTest -Dsurefire.failIfNoSpecifiedTests=false -Dseeds=1 -Dtrace=500 -Dfirst="
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
