package dev.stint.kube;

import dev.stint.cluster.Timers;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Timers that go off when the test says so. */
final class Alarms implements Timers {
  private final BlockingQueue<Alarm> set = new LinkedBlockingQueue<>();

  private record Alarm(Duration delay, Runnable task) {}

  @Override
  public Runnable after(Duration delay, Runnable task) {
    Alarm alarm = new Alarm(delay, task);
    set.add(alarm);
    return () -> set.remove(alarm);
  }

  /** Timers that skip waits of up to a minute, and for which longer ones never end. */
  static Timers skippingShortOnes() {
    return (delay, task) -> {
      if (delay.compareTo(Duration.ofMinutes(1)) < 0) {
        Thread.startVirtualThread(task);
      }
      return () -> {};
    };
  }

  /** Waits until one of this delay is set, and lets it go off. */
  void goOff(Duration delay) throws InterruptedException {
    for (Alarm next = next(); ; next = next()) {
      if (next.delay.equals(delay)) {
        next.task.run();
        return;
      }
    }
  }

  private Alarm next() throws InterruptedException {
    Alarm next = set.poll(10, TimeUnit.SECONDS);
    if (next == null) {
      throw new AssertionError("no such alarm was set within 10 s");
    }
    return next;
  }
}
