package dev.stint.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Random worlds in which custom resources and their definitions come, change and go. */
class CustomResourcesTest {
  private static final int USUAL = 40;
  private static final int WORLDS = Integer.getInteger("worlds", USUAL);

  @Test
  void definitionsTakeTheirObjectsOwnersTheirDependentsAndNothingElse() {
    long first = Long.getLong("first", 1);
    int deletions =
        LongStream.range(first, first + WORLDS)
            .parallel()
            .mapToInt(CustomResourcesTest::deletions)
            .sum();
    if (WORLDS >= USUAL) {
      assertThat(deletions).as("deletions by users").isGreaterThan(WORLDS);
    }
  }

  private static int deletions(long seed) {
    SimulatedWorld world = WorldKind.CUSTOM_RESOURCES.world(seed);
    try {
      world.play();
    } catch (AssertionError broken) {
      throw new AssertionError("seed " + seed + ": " + broken.getMessage(), broken);
    }
    return world.played().faults().getOrDefault(CustomNeighbours.DELETED, 0);
  }
}
