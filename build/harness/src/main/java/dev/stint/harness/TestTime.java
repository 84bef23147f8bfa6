package dev.stint.harness;

import dev.stint.cluster.Timers;
import dev.stint.cluster.time.Lifetime;
import dev.stint.cluster.time.SimulatedTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Simulated time for tests: a clock that stands still until the test advances it, and timers that
 * fire on the test's thread. Any thread may ask for the time, and set or cancel timers.
 */
public final class TestTime implements Timers, InstantSource {
  private record Waiter(Duration delay, CompletableFuture<@Nullable Void> armed) {}

  private final SimulatedTime time;
  private final Timers timers;

  /** The delays of the timers that are set; their tasks are the keys. */
  private final Map<Runnable, Duration> pending = new HashMap<>();

  private final List<Waiter> waiters = new ArrayList<>();

  /** Creates a clock that stands at the start of 2026. */
  public TestTime() {
    this(Instant.parse("2026-01-01T00:00:00Z"));
  }

  public TestTime(Instant start) {
    this.time = new SimulatedTime(start);
    this.timers = timersOf(new Lifetime());
  }

  @Override
  public Instant instant() {
    return time.instant();
  }

  @Override
  public Runnable after(Duration delay, Runnable task) {
    return timers.after(delay, task);
  }

  /** Returns timers that do not fire once their owner has ended. */
  public Timers timersOf(Lifetime owner) {
    Timers simulated = time.timersOf(owner);
    return (delay, task) -> {
      Runnable timer =
          new Runnable() {
            @Override
            public void run() {
              forget(this);
              task.run();
            }
          };
      remember(timer, delay);
      Runnable cancel = simulated.after(delay, timer);
      tellWaiters(delay);
      return () -> {
        forget(timer);
        cancel.run();
      };
    };
  }

  private synchronized void remember(Runnable timer, Duration delay) {
    pending.put(timer, delay);
  }

  private synchronized void tellWaiters(Duration delay) {
    waiters.removeIf(waiter -> waiter.delay().equals(delay) && waiter.armed().complete(null));
  }

  private synchronized void forget(Runnable timer) {
    pending.remove(timer);
  }

  /** Completes when a timer of this delay is set. */
  public synchronized CompletableFuture<@Nullable Void> whenArmed(Duration delay) {
    if (pending.containsValue(delay)) {
      return CompletableFuture.completedFuture(null);
    }
    Waiter waiter = new Waiter(delay, new CompletableFuture<>());
    waiters.add(waiter);
    return waiter.armed();
  }

  /** Waits until a timer of this delay is set, and advances the time by it. */
  public void advanceOnceArmed(Duration delay) {
    whenArmed(delay).orTimeout(60, TimeUnit.SECONDS).join();
    advance(delay);
  }

  /** Returns the number of set timers. */
  public synchronized int armed() {
    return pending.size();
  }

  /** Advances the time, and runs the timers that become due, in order. */
  public void advance(Duration by) {
    advance(by, () -> {});
  }

  /**
   * Advances the time, and runs the timers that become due, in order.
   *
   * @param then runs after each of them, at its time
   */
  public void advance(Duration by, Runnable then) {
    Instant end = instant().plus(by);
    while (time.jump(end)) {
      then.run();
    }
    time.passUntil(end);
  }

  /** Moves the time to that of the next timer and runs it; false if there is none. */
  public boolean jump() {
    return time.jump();
  }

  /** Sets the clock, as an administrator does; timers that are due fire late. */
  public void set(Instant now) {
    time.pass(Duration.between(instant(), now));
  }
}
