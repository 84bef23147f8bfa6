package dev.stint.cluster.time;

import dev.stint.cluster.Timers;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A simulated clock with timers, which moves only on request.
 *
 * <p>Any thread may ask for the time, and set or cancel timers. Only one thread may let time pass:
 * timers fire on it.
 */
public final class SimulatedTime implements InstantSource {
  private record Timer(Instant due, long order, Lifetime owner, Runnable task) {}

  private final TreeSet<Timer> timers =
      new TreeSet<>(Comparator.comparing(Timer::due).thenComparingLong(Timer::order));

  /** The number of timers of each owner: an end of one of few owners is noticed at once. */
  private final Map<Lifetime, Integer> owners = new HashMap<>();

  private Instant now;
  private long order;

  public SimulatedTime(Instant start) {
    this.now = start;
  }

  @Override
  public synchronized Instant instant() {
    return now;
  }

  /** Returns timers that do not fire once their owner has ended. */
  public Timers timersOf(Lifetime owner) {
    return (delay, task) -> {
      Timer timer = add(delay, owner, task);
      return () -> remove(timer);
    };
  }

  private synchronized Timer add(Duration delay, Lifetime owner, Runnable task) {
    Timer timer = new Timer(now.plus(delay), order++, owner, task);
    timers.add(timer);
    owners.merge(owner, 1, Integer::sum);
    return timer;
  }

  private synchronized void remove(Timer timer) {
    if (timers.remove(timer)) {
      countDown(timer.owner);
    }
  }

  private void countDown(Lifetime owner) {
    owners.computeIfPresent(owner, (_, count) -> count == 1 ? null : count - 1);
  }

  /** Advances the time; timers that become due fire late, with the next {@link #jump()}. */
  public synchronized void pass(Duration time) {
    now = now.plus(time);
  }

  /** Advances the time to {@code then}, as {@link #pass} does, unless it is later already. */
  public synchronized void passUntil(Instant then) {
    now = then.isAfter(now) ? then : now;
  }

  /** True if some timer is due but has not fired. */
  public synchronized boolean hasDueTimer() {
    return !timers.isEmpty() && !timers.first().due.isAfter(now);
  }

  /**
   * Moves the time to the next timer, unless it is due already, and runs it.
   *
   * @return true if there was one
   */
  public boolean jump() {
    return jump(Instant.MAX);
  }

  /**
   * Like {@link #jump()}, for timers that are due by {@code latest}. Time does not pass if there is
   * none.
   */
  public boolean jump(Instant latest) {
    Timer next = next(latest);
    if (next == null) {
      return false;
    }
    next.task.run();
    return true;
  }

  private synchronized @Nullable Timer next(Instant latest) {
    if (owners.keySet().removeIf(Lifetime::hasEnded)) {
      timers.removeIf(timer -> timer.owner.hasEnded());
    }
    if (timers.isEmpty() || timers.first().due.isAfter(latest)) {
      return null;
    }
    Timer next = timers.removeFirst();
    countDown(next.owner);
    now = next.due.isAfter(now) ? next.due : now;
    return next;
  }
}
