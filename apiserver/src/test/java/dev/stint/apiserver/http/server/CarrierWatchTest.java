package dev.stint.apiserver.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;
import org.junit.jupiter.api.Test;

class CarrierWatchTest {
  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private final List<Integer> numbers = new ArrayList<>();
  private final CarrierWatch watch = watch(2);

  private CarrierWatch watch(int usual) {
    return new CarrierWatch(new ScheduledExecutorScheduler(), waiting::add, numbers::add, usual);
  }

  private void checkCalmly(int times) {
    for (int i = 0; i < times; i++) {
      watch.check();
      waiting.remove().run();
    }
  }

  @Test
  void nothingChangesWhileEachThreadGetsItsTurn() {
    checkCalmly(3 * CarrierWatch.CALM);
    assertThat(numbers).isEmpty();
  }

  @Test
  void thereAreMoreThreadsAsLongAsNoneGetsItsTurn() {
    watch.check();
    watch.check();
    watch.check();
    assertThat(numbers).containsExactly(4, 8);
    assertThat(waiting).hasSize(1);
  }

  @Test
  void theyGoOnceNobodyHadToWaitForAMinute() {
    watch.check();
    watch.check();
    waiting.remove().run();
    checkCalmly(CarrierWatch.CALM - 1);
    assertThat(numbers).containsExactly(4);
    checkCalmly(1);
    assertThat(numbers).containsExactly(4, 2);
    checkCalmly(CarrierWatch.CALM);
    assertThat(numbers).containsExactly(4, 2);
  }

  @Test
  void theirNumberIsBounded() {
    for (int i = 0; i < 20; i++) {
      watch.check();
    }
    assertThat(numbers.getLast()).isEqualTo(CarrierWatch.MOST);
    CarrierWatch many = watch(300);
    numbers.clear();
    many.check();
    many.check();
    assertThat(numbers).as("a machine with more processors").isEmpty();
  }
}
