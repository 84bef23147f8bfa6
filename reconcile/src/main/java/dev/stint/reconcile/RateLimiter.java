package dev.stint.reconcile;

import dev.stint.cluster.Timers;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * A token bucket with a concurrency limit: allows a burst of tasks, then a fixed rate, and a
 * maximum number at once. Tasks pass in the order of their precedence. Thread-safe.
 */
final class RateLimiter {
  private static final double NANOS = 1e9;

  private final double perSecond;
  private final int burst;
  private final int mostAtOnce;
  private final InstantSource clock;
  private final Timers timers;
  private final PrecedenceQueue<Runnable> waiting = new PrecedenceQueue<>();
  private double tokens;
  private @Nullable Instant counted;
  private int inside;
  private boolean timed;
  private boolean admitting;

  /**
   * @param perSecond 0 for no limit
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

  /** Runs a task when its turn comes, on this thread or another. {@link #release} ends it. */
  void acquire(Precedence precedence, Runnable task) {
    synchronized (this) {
      waiting.add(precedence, task);
    }
    admit();
  }

  /** Ends a task that was admitted. */
  void release() {
    synchronized (this) {
      inside--;
    }
    admit();
  }

  /** Continues a task that was released, at once: it goes before all that wait. */
  synchronized void resume() {
    inside++;
  }

  /**
   * Admits tasks on one thread at a time, in a loop: a task that ends at once would otherwise admit
   * the next one recursively.
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
      // A task should not throw; others must be admitted all the same.
      synchronized (this) {
        admitting = false;
      }
      throw fault;
    }
  }

  /**
   * Returns the next task; null if none may run now. Whatever changes that calls {@link #admit}.
   */
  private synchronized @Nullable Runnable next() {
    if (waiting.isEmpty() || inside >= mostAtOnce || (perSecond > 0 && !takeToken())) {
      admitting = false;
      return null;
    }
    inside++;
    return waiting.remove();
  }

  private boolean takeToken() {
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
