package dev.stint.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random worlds in which several replicas share the Jobs. */
class ShardsTest {
  private static final int USUAL = 10;
  private static final int WORLDS = Integer.getInteger("worlds", USUAL);

  /** Half of what 200 worlds have on average: single ones have 1 to 30. */
  private static final int MOVES_OF_A_WORLD = 5;

  @Test
  void noJobIsDecidedByTwoAndAllOfThemEnd() {
    long first = Long.getLong("first", 1);
    int moves =
        LongStream.range(first, first + WORLDS).parallel().mapToInt(ShardsTest::played).sum();
    if (WORLDS >= USUAL) {
      assertThat(moves).as("shards that were taken").isGreaterThan(MOVES_OF_A_WORLD * WORLDS);
    }
  }

  /** A write of a term that was lost reached the API after the shard had another holder. */
  @ParameterizedTest
  @ValueSource(longs = {1_025_940, 1_043_930})
  void worldsThatOnceFoundSomethingAreGood(long seed) {
    assertThat(played(seed)).isPositive();
  }

  /** Returns the number of times that a shard got a holder. */
  private static int played(long seed) {
    ShardedRun run = new ShardedRun(seed);
    try {
      run.play();
    } catch (AssertionError broken) {
      throw new AssertionError("seed " + seed + ": " + broken.getMessage(), broken);
    }
    assertThat(run.writes()).as("seed %d", seed).isPositive();
    assertThat(run.moves()).as("seed %d", seed).isPositive();
    return run.moves();
  }

  @Test
  void aSeedPlaysTheSameEveryTime() {
    ShardedRun run = new ShardedRun(3);
    run.play();
    ShardedRun again = new ShardedRun(3);
    again.play();
    assertThat(again.digest()).isEqualTo(run.digest());
  }
}
