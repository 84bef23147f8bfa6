package dev.stint.apiserver.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class CarrierWatchTest {
  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private final Known carriers = new Known(2);
  private final CarrierWatch watch =
      new CarrierWatch(new ScheduledExecutorScheduler(), waiting::add, carriers, 2);

  private static class Known implements CarrierWatch.Carriers {
    private final List<Integer> numbers = new ArrayList<>();

    Known(int number) {
      numbers.add(number);
    }

    @Override
    public int number() {
      return numbers.getLast();
    }

    @Override
    public void set(int number) {
      numbers.add(number);
    }
  }

  private void checkCalmly(int times) {
    for (int i = 0; i < times; i++) {
      watch.check();
      waiting.remove().run();
    }
  }

  @Test
  @Timeout(60)
  void aCheckThatFailsIsNotTheLast() throws Exception {
    ScheduledExecutorScheduler scheduler = new ScheduledExecutorScheduler();
    CountDownLatch checks = new CountDownLatch(1);
    CarrierWatch failing =
        new CarrierWatch(
            scheduler,
            _ -> {
              throw new OutOfMemoryError("unable to create native thread");
            },
            new Known(2) {
              @Override
              public void set(int number) {
                checks.countDown();
              }
            },
            2);
    scheduler.start();
    failing.start();
    checks.await();
    failing.stop();
    scheduler.stop();
  }

  @Test
  void nothingChangesWhileEachThreadGetsItsTurn() {
    checkCalmly(3 * CarrierWatch.CALM);
    assertThat(carriers.numbers).containsExactly(2);
  }

  @Test
  void thereAreMoreThreadsAsLongAsNoneGetsItsTurn() {
    watch.check();
    watch.check();
    watch.check();
    assertThat(carriers.numbers).containsExactly(2, 4, 8);
    assertThat(waiting).hasSize(1);
  }

  @Test
  void theyGoOnceNobodyHadToWaitForAMinute() {
    watch.check();
    watch.check();
    waiting.remove().run();
    checkCalmly(CarrierWatch.CALM - 1);
    assertThat(carriers.numbers).containsExactly(2, 4);
    checkCalmly(1);
    assertThat(carriers.numbers).containsExactly(2, 4, 2);
    checkCalmly(CarrierWatch.CALM);
    assertThat(carriers.numbers).containsExactly(2, 4, 2);
  }

  @Test
  void theirNumberIsBounded() {
    for (int i = 0; i < 20; i++) {
      watch.check();
    }
    assertThat(carriers.numbers).endsWith(64, CarrierWatch.MOST);
  }

  @Test
  void aMachineWithMoreProcessorsKeepsTheirNumber() {
    Known many = new Known(300);
    CarrierWatch large =
        new CarrierWatch(new ScheduledExecutorScheduler(), waiting::add, many, 300);
    large.check();
    large.check();
    assertThat(many.numbers).containsExactly(300);
  }

  @Test
  void theyAreAddedAgainIfAnotherServerOfTheJvmHasTakenThemAway() {
    watch.check();
    watch.check();
    carriers.set(2);
    watch.check();
    assertThat(carriers.numbers).containsExactly(2, 4, 2, 4);
  }
}
