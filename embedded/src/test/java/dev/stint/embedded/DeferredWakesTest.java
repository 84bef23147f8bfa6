package dev.stint.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeferredWakesTest {
  private final List<String> woken = new ArrayList<>();
  private final Runnable store = () -> woken.add("store");
  private final Runnable disk = () -> woken.add("disk");
  private final DeferredWakes deferred = new DeferredWakes();

  @Test
  void eachIsWokenOnceForSeveralTasks() {
    deferred.add(store);
    deferred.add(disk);
    deferred.add(store);
    assertThat(woken).isEmpty();
    deferred.wakeAll();
    deferred.wakeAll();
    assertThat(woken).containsExactly("store", "disk");
  }

  @Test
  void enoughTasksWake() {
    deferred.add(store);
    for (int i = 2; i < DeferredWakes.ENOUGH; i++) {
      deferred.add(null);
    }
    assertThat(woken).isEmpty();
    deferred.add(null);
    assertThat(woken).containsExactly("store");
    deferred.add(store);
    assertThat(woken).hasSize(1);
  }

  @Test
  void enoughWorkWakesEachTime() {
    long start = Long.MAX_VALUE - 5;
    deferred.onBegin(start);
    for (int i = 1; i <= 3; i++) {
      long next = start + DeferredWakes.LONGEST.toNanos();
      deferred.add(store);
      deferred.onTaskEnd(next);
      assertThat(woken).hasSize(i - 1);
      start = next + 1;
      deferred.onTaskEnd(start);
      assertThat(woken).hasSize(i);
    }
  }

  @Test
  void restIsNoWork() {
    deferred.onBegin(0);
    deferred.wakeAll();
    deferred.onBegin(DeferredWakes.LONGEST.toNanos() * 9);
    deferred.add(store);
    deferred.onTaskEnd(DeferredWakes.LONGEST.toNanos() * 9 + 1);
    assertThat(woken).isEmpty();
  }
}
