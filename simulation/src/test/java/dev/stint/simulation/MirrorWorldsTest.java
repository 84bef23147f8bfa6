package dev.stint.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random worlds in which one cluster hands its Jobs to another. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MirrorWorldsTest {
  private static final int WORLDS = 20;
  private static final int WORLDS_OF_SEVERAL_WORKERS = 5;

  /** The Jobs of all worlds whose copies lasted, and the others. */
  private int mirrored;

  private int lost;
  private int played;

  /** The Jobs of worlds with several workers that moved from one to another. */
  private int moved;

  private int playedWithSeveral;

  /** Includes the worlds that once found something. */
  private static LongStream seeds() {
    return LongStream.concat(LongStream.range(0, WORLDS), LongStream.of(59, 193));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  @Covers("MB-11")
  void everyJobHasTheStatusOfItsCopyAndNothingIsLeftBehind(long seed) {
    MirrorRun run = new MirrorRun(seed);
    run.play();
    mirrored += run.mirrored();
    lost += run.lost();
    played++;
  }

  /** Includes a world that once found something. */
  private static LongStream seedsOfSeveralWorkers() {
    return LongStream.concat(
        LongStream.range(0, WORLDS_OF_SEVERAL_WORKERS), LongStream.of(1_098_015));
  }

  @ParameterizedTest
  @MethodSource("seedsOfSeveralWorkers")
  void aJobHasOneWorkerAtATimeAndEndsOnceAndNothingIsLeftBehind(long seed) {
    MirrorRun run = new MirrorRun(seed, 3);
    run.play();
    moved += run.moved();
    playedWithSeveral++;
  }

  @AfterAll
  void worldsHadJobsThatMoved() {
    if (playedWithSeveral >= WORLDS_OF_SEVERAL_WORKERS) {
      assertThat(moved).isPositive();
    }
  }

  @AfterAll
  void worldsHadJobsThatFinishedAndCopiesThatWereLost() {
    if (played >= WORLDS) { // Not where only one of them is played.
      assertThat(mirrored).isGreaterThan(8);
      assertThat(lost).isPositive();
    }
  }
}
