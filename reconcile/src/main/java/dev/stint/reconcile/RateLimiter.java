package dev.stint.reconcile;

import dev.stint.cluster.Timers;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * A token bucket with a limit on what is under way: allows a burst of tasks, then a fixed rate, and
 * only so many at once. Tasks pass in order. For use by any thread.
 */
final class RateLimiter {
  private static final double NANOS = 1e9;

  private final double perSecond;
  private final int burst;
  private final int mostAtOnce;
  private final InstantSource clock;
  private final Timers timers;
  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private double tokens;
  private @Nullable Instant counted;
  private int inside;
  private boolean timed;
  private boolean admitting;

  /**
   * @param perSecond 0 for any number
   * @param clock used for spans of time only
   */
  RateLimiter(double perSecond, int burst, int mostAtOnce, InstantSource clock, Timers timers) {
    this.perSecond = perSecond;
    this.burst = burst;
    this.mostAtOnce = mostAtOnce;
    this.clock = clock;
    this.timers = timers;
    this.tokens = burst;
  }

  /** Runs a task once it is its turn, on this thread or another. {@link #release} ends it. */
  void acquire(Runnable task) {
    synchronized (this) {
      waiting.add(task);
    }
    admit();
  }

  /** A task that came in has ended. */
  void release() {
    synchronized (this) {
      inside--;
    }
    admit();
  }

  /**
   * One thread lets in at a time, and goes on while others come and leave: a task that ends at once
   * would let in the next one from within itself, and so on for as many as there are.
   */
  private void admit() {
    synchronized (this) {
      if (admitting) {
        return;
      }
      admitting = true;
    }
    try {
      for (Runnable next = next(); next != null; next = next()) {
        next.run();
      }
    } catch (RuntimeException | Error fault) {
      // A task should not throw; others may come in all the same.
      synchronized (this) {
        admitting = false;
      }
      throw fault;
    }
  }

  /** Null where nobody may come in now; whoever changes that lets in again. */
  private synchronized @Nullable Runnable next() {
    if (waiting.isEmpty() || inside >= mostAtOnce || (perSecond > 0 && !token())) {
      admitting = false;
      return null;
    }
    inside++;
    return waiting.remove();
  }

  private boolean token() {
    Instant now = clock.instant();
    if (counted != null && now.isAfter(counted)) {
      double gained = Duration.between(counted, now).toNanos() / NANOS * perSecond;
      tokens = Math.min(burst, tokens + gained);
    }
    counted = counted == null || now.isAfter(counted) ? now : counted;
    if (tokens >= 1) {
      tokens--;
      return true;
    }
    if (!timed) {
      timed = true;
      long nanos = (long) Math.ceil((1 - tokens) / perSecond * NANOS);
      timers.after(Duration.ofNanos(Math.max(nanos, 1_000_000)), this::goOn);
    }
    return false;
  }

  private void goOn() {
    synchronized (this) {
      timed = false;
    }
    admit();
  }
}
