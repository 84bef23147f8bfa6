package dev.stint.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Random worlds in which several commands share a data directory. */
class SharedDirectoriesTest {
  private static final int WORLDS = Integer.getInteger("worlds", 40);

  @Test
  void commandsGoOnWhoeverHoldsTheDirectory() {
    long first = Long.getLong("first", 1);
    LongStream.range(first, first + WORLDS).parallel().forEach(SharedDirectoriesTest::play);
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
