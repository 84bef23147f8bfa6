package dev.stint.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Random Jobs on a system that anything may happen to. {@code -Dseeds=N -Dfirst=K} plays N seeds
 * from K on.
 */
class SeedsTest {
  private static final int SEEDS = 250;

  @Test
  @Covers({"TR-11", "TR-12", "TR-18", "TR-44", "SP-19", "SP-20", "MB-14", "MB-15", "MB-20"})
  void everyLawHoldsWhateverHappens() {
    long first = Long.getLong("first", 1);
    int seeds = Integer.getInteger("seeds", SEEDS);
    List<Long> broken = new ArrayList<>();
    AssertionError shown = null;
    for (long seed = first; seed < first + seeds; seed++) {
      try {
        new SeededRun(seed).play();
      } catch (AssertionError wrong) {
        broken.add(seed);
        shown = shown == null ? wrong : shown;
      }
    }
    if (shown != null) {
      throw new AssertionError("seeds " + broken + "; the first: " + shown.getMessage(), shown);
    }
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
