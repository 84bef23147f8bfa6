package dev.stint.simulation;

import dev.stint.cluster.Timers;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.TreeSet;

/** Time that passes only when it is told to. */
public final class SimulatedTime implements InstantSource {
  private record Timer(Instant due, long order, Life owner, Runnable task) {}

  private final TreeSet<Timer> timers =
      new TreeSet<>(Comparator.comparing(Timer::due).thenComparingLong(Timer::order));
  private Instant now;
  private long order;

  public SimulatedTime(Instant start) {
    this.now = start;
  }

  @Override
  public Instant instant() {
    return now;
  }

  /** Timers that do not go off once their owner has ended. */
  public Timers timersOf(Life owner) {
    return (delay, task) -> {
      Timer timer = new Timer(now.plus(delay), order++, owner, task);
      timers.add(timer);
      return () -> timers.remove(timer);
    };
  }

  /** Lets time pass; timers that become due go off late, with the next {@link #jump}. */
  public void pass(Duration time) {
    now = now.plus(time);
  }

  /** Whether some timer should have gone off by now. */
  boolean due() {
    return !timers.isEmpty() && !timers.first().due.isAfter(now);
  }

  /**
   * Goes to the next timer, unless it is due already, and runs it.
   *
   * @return whether there was one
   */
  public boolean jump() {
    timers.removeIf(timer -> timer.owner.over());
    Timer next = timers.pollFirst();
    if (next == null) {
      return false;
    }
    now = next.due.isAfter(now) ? next.due : now;
    next.task.run();
    return true;
  }
}
