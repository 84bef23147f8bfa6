package dev.stint.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class IdleMemoryReleaseTest {
  private final AtomicLong revision = new AtomicLong(7);
  private final AtomicInteger rests = new AtomicInteger();
  private final Deque<Runnable> alarms = new ArrayDeque<>();
  private final IdleMemoryRelease idleness =
      new IdleMemoryRelease(
          revision::get,
          rests::incrementAndGet,
          (delay, task) -> {
            assertThat(delay).isEqualTo(IdleMemoryRelease.IDLE_TIME);
            alarms.add(task);
            return () -> alarms.remove(task);
          });

  @Test
  void memoryIsReleasedOnceAfterEachPeriodOfWrites() {
    idleness.start();
    minuteWith(3);
    assertThat(rests).hasValue(0);
    minuteWith(0);
    assertThat(rests).hasValue(1);
    minuteWith(0);
    assertThat(rests).as("there is nothing more to give").hasValue(1);
    minuteWith(1);
    minuteWith(0);
    assertThat(rests).hasValue(2);
  }

  @Test
  void noCheckFollowsTheEnd() {
    idleness.start();
    idleness.close();
    assertThat(alarms).isEmpty();
  }

  private void minuteWith(int writes) {
    revision.addAndGet(writes);
    alarms.remove().run();
  }
}
