package dev.stint.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pods that have not started take memory, so a Job may have a number of them at most. */
class WaitingPodsTest {
  private static EngineWorld world(int completions, int mostWaiting) {
    String spec =
        "{'completionMode':'Indexed','completions':%d,'parallelism':%d}"
            .formatted(completions, completions);
    EngineWorld world = new EngineWorld(TestJobs.asking(spec));
    world.options = EngineOptions.DEFAULT.withMaxWaitingPods(mostWaiting);
    return world;
  }

  @ParameterizedTest
  @CsvSource({"9, 3, 3", "9, 9, 9", "9, 10, 9", "9, 1, 1"})
  void noMorePodsAreCreatedThanMayWait(int completions, int mostWaiting, int created) {
    EngineWorld world = world(completions, mostWaiting).settle();
    assertThat(world.pods).hasSize(created);
  }

  @Test
  void eachPodThatStartsMakesRoomForAnother() {
    EngineWorld world = world(9, 3).settle();
    world.run(0);
    assertThat(world.settle().pods).hasSize(4);
    world.run(1);
    world.run(2);
    world.run(3);
    assertThat(world.settle().pods).hasSize(7);
  }

  @Test
  void manyRunningPodsDoNotCount() {
    EngineWorld world = world(12, 10).settle();
    for (int i = 0; i < 8; i++) {
      world.run(i);
    }
    assertThat(world.settle().pods).hasSize(12);
  }
}
