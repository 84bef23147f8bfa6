package dev.stint.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random worlds in which several commands share a data directory. */
class SharedDirectoriesTest {
  private static final int WORLDS = Integer.getInteger("worlds", 40);

  @Test
  void commandsGoOnWhoeverHoldsTheDirectory() {
    long first = Long.getLong("first", 1);
    LongStream.range(first, first + WORLDS).parallel().forEach(SharedDirectoriesTest::play);
  }

  /**
   * A Job was deleted before its command had listed it, and interrupted before all were submitted;
   * a holder ended while a write was looked up, and while it was joined.
   */
  @ParameterizedTest
  @ValueSource(longs = {385, 511, 755, 2619})
  void worldsThatOnceFoundSomethingAreGood(long seed) {
    play(seed);
  }

  @Test
  void aSeedPlaysTheSameEveryTime() {
    assertThat(digest(3)).isEqualTo(digest(3));
  }

  private static long digest(long seed) {
    SharedDirectoryRun run = new SharedDirectoryRun(seed);
    run.play();
    return run.digest();
  }

  private static void play(long seed) {
    try {
      WorldKind.SHARED_DIRECTORY.world(seed).play();
    } catch (AssertionError broken) {
      throw new AssertionError("seed " + seed + ": " + broken.getMessage(), broken);
    }
  }
}
