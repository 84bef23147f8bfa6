package dev.stint.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random worlds in which quotas come, change and go while Jobs run. */
class QuotasTest {
  private static final int USUAL = 40;
  private static final int WORLDS = Integer.getInteger("worlds", USUAL);

  @Test
  void noQuotaIsExceededAndAllJobsEnd() {
    long first = Long.getLong("first", 1);
    int refusals =
        LongStream.range(first, first + WORLDS).parallel().mapToInt(QuotasTest::refusals).sum();
    if (WORLDS >= USUAL) {
      assertThat(refusals).as("refused creations").isGreaterThan(2 * WORLDS);
    }
  }

  /** Quotas told a wrong usage once limits were back that they had had before. */
  @ParameterizedTest
  @ValueSource(longs = {1619, 1696, 1885})
  void worldsThatOnceFoundSomethingAreGood(long seed) {
    assertThat(refusals(seed)).isNotNegative();
  }

  private static int refusals(long seed) {
    SimulatedWorld world = WorldKind.QUOTAS.world(seed);
    try {
      world.play();
    } catch (AssertionError broken) {
      throw new AssertionError("seed " + seed + ": " + broken.getMessage(), broken);
    }
    return world.played().faults().getOrDefault(QuotaNeighbours.REFUSED, 0);
  }
}
