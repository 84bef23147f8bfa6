package dev.stint.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Random worlds in which namespaces, CronJobs, bare pods and a Node come, change and go. */
class HousekeepingTest {
  private static final int USUAL = 40;
  private static final int WORLDS = Integer.getInteger("worlds", USUAL);

  @Test
  void onlyWhatMayGoIsDeletedAndAllThatIsDueIsStarted() {
    long first = Long.getLong("first", 1);
    int deletions =
        LongStream.range(first, first + WORLDS)
            .parallel()
            .mapToInt(HousekeepingTest::deletions)
            .sum();
    if (WORLDS >= USUAL) {
      assertThat(deletions).as("deletions by users").isGreaterThan(WORLDS);
    }
  }

  private static int deletions(long seed) {
    SimulatedWorld world = WorldKind.HOUSEKEEPING.world(seed);
    try {
      world.play();
    } catch (AssertionError broken) {
      throw new AssertionError("seed " + seed + ": " + broken.getMessage(), broken);
    }
    return world.played().faults().getOrDefault(HousekeepingNeighbours.DELETED, 0);
  }
}
