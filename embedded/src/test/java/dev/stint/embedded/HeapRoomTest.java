package dev.stint.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.apiserver.ObjectRoom;
import dev.stint.harness.TestTime;
import java.lang.management.MemoryUsage;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class HeapRoomTest {
  private final TestTime time = new TestTime();
  private double used;
  private double live;
  private double found;
  private double cached;
  private int collections;

  private final HeapRoom room =
      new HeapRoom(
          HeapRoom.MOST_OF_ONE, () -> used, () -> live, () -> cached = 0, this::collect, time);

  private void collect() {
    collections++;
    used = found + cached;
    live = used;
  }

  @Test
  void aHeapWithRoomIsNotCollected() {
    used = 0.7;
    live = 0.9;
    assertThat(room.get()).isEqualTo(ObjectRoom.AMPLE);
    assertThat(collections).isZero();
  }

  @Test
  void garbageTakesNoRoom() {
    used = 0.95;
    found = 0.4;
    assertThat(room.get()).isEqualTo(ObjectRoom.AMPLE);
    assertThat(collections).isEqualTo(1);
  }

  @Test
  void cachesTakeNoRoom() {
    used = 0.95;
    found = 0.7;
    cached = 0.1;
    assertThat(room.get()).isEqualTo(ObjectRoom.AMPLE);
    assertThat(collections).isEqualTo(1);
  }

  @Test
  void aFullHeapIsCollectedOnceAMinuteAndHasRoomOnceObjectsAreGone() {
    used = 0.95;
    found = 0.9;
    for (int i = 0; i < 100; i++) {
      assertThat(room.get()).isEqualTo(ObjectRoom.NONE);
    }
    assertThat(collections).isEqualTo(1);
    found = 0.5;
    time.advance(Duration.ofSeconds(59));
    assertThat(room.get()).isEqualTo(ObjectRoom.NONE);
    time.advance(Duration.ofSeconds(1));
    assertThat(room.get()).isEqualTo(ObjectRoom.AMPLE);
    assertThat(collections).isEqualTo(2);
  }

  @Test
  void roomIsScarceBeforeItEnds() {
    used = 0.95;
    found = 0.75;
    assertThat(room.get()).isEqualTo(ObjectRoom.SCARCE);
  }

  /** A single user has all that there is. */
  @Test
  void roomNeedNotBeScarceAtAll() {
    HeapRoom ofOneUser =
        new HeapRoom(HeapRoom.MOST, () -> 0.95, () -> live, () -> {}, () -> live = 0.8, time);
    assertThat(ofOneUser.get()).isEqualTo(ObjectRoom.AMPLE);
    live = 0.81;
    assertThat(ofOneUser.get()).isEqualTo(ObjectRoom.NONE);
  }

  /** The serial collector keeps a third of the heap for new objects. */
  @Test
  void whatIsLiveIsAShareOfTheWholeHeap() {
    MemoryUsage eden = new MemoryUsage(0, 0, 270, 270);
    MemoryUsage old = new MemoryUsage(0, 600, 680, 680);
    assertThat(HeapRoom.share(Stream.of(eden, old), 1000)).isEqualTo(0.6);
    MemoryUsage overflowing = new MemoryUsage(0, 200, 270, 270);
    assertThat(HeapRoom.share(Stream.of(overflowing, old), 1000)).isEqualTo(0.8);
  }

  @Test
  void thisProcessHasRoom() {
    assertThat(HeapRoom.ofThisProcess(HeapRoom.MOST, time, () -> {}).get())
        .isEqualTo(ObjectRoom.AMPLE);
  }
}
