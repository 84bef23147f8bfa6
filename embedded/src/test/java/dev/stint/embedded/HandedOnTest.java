package dev.stint.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HandedOnTest {
  private final List<String> woken = new ArrayList<>();
  private final Runnable store = () -> woken.add("store");
  private final Runnable disk = () -> woken.add("disk");
  private final HandedOn handedOn = new HandedOn();

  @Test
  void eachIsWokenOnceForSeveralTasks() {
    handedOn.add(store);
    handedOn.add(disk);
    handedOn.add(store);
    assertThat(woken).isEmpty();
    handedOn.wakeAll();
    handedOn.wakeAll();
    assertThat(woken).containsExactly("store", "disk");
  }

  @Test
  void enoughTasksWake() {
    handedOn.add(store);
    for (int i = 2; i < HandedOn.ENOUGH; i++) {
      handedOn.add(null);
    }
    assertThat(woken).isEmpty();
    handedOn.add(null);
    assertThat(woken).containsExactly("store");
    handedOn.add(store);
    assertThat(woken).hasSize(1);
  }

  @Test
  void enoughWorkWakes() {
    long start = Long.MAX_VALUE - 5;
    handedOn.onTaskEnd(start);
    handedOn.add(store);
    handedOn.onTaskEnd(start + HandedOn.LONGEST.toNanos());
    assertThat(woken).isEmpty();
    handedOn.onTaskEnd(start + HandedOn.LONGEST.toNanos() + 1);
    assertThat(woken).containsExactly("store");
  }
}
