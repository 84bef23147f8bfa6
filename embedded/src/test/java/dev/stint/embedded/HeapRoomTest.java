package dev.stint.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.harness.TestTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class HeapRoomTest {
  private final TestTime time = new TestTime();
  private double used;
  private double live;
  private double found;
  private int collections;

  private final HeapRoom room = new HeapRoom(() -> used, () -> live, this::collect, time);

  private void collect() {
    collections++;
    used = found;
    live = found;
  }

  @Test
  void aHeapWithRoomIsNotCollected() {
    used = 0.7;
    live = 0.9;
    assertThat(room.getAsBoolean()).isTrue();
    assertThat(collections).isZero();
  }

  @Test
  void garbageTakesNoRoom() {
    used = 0.95;
    found = 0.4;
    assertThat(room.getAsBoolean()).isTrue();
    assertThat(collections).isEqualTo(1);
  }

  @Test
  void aFullHeapIsCollectedEveryFiveSecondsAndHasRoomOnceObjectsAreGone() {
    used = 0.95;
    found = 0.9;
    for (int i = 0; i < 100; i++) {
      assertThat(room.getAsBoolean()).isFalse();
    }
    assertThat(collections).isEqualTo(1);
    found = 0.5;
    time.advance(Duration.ofSeconds(5));
    assertThat(room.getAsBoolean()).isTrue();
    assertThat(collections).isEqualTo(2);
  }
}
