package dev.stint.testkit;

import dev.stint.cluster.time.Scheduler;
import dev.stint.embedded.SimulatedEnvironment;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread of a control plane in simulated time. It does all pending work as it arrives, and
 * advances time only on request, and only when no work is pending.
 */
final class TimeDriver implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TimeDriver.class);

  private final SimulatedEnvironment environment;
  private final Thread thread = new Thread(this::run, "stint-simulated");
  private final Object lock = new Object();

  /** Callers that wait until no work is pending. Guarded by the lock, as are all fields below. */
  private final Queue<CompletableFuture<@Nullable Void>> resting = new ArrayDeque<>();

  private final Queue<Journey> journeys = new ArrayDeque<>();
  private int requests;
  private boolean woken;
  private boolean closed;

  /**
   * A request to advance time.
   *
   * @param latest the point in time to reach at most
   * @param reason stops the advance, which goes from timer to timer, once this completes; null to
   *     advance all the way
   */
  private record Journey(
      Instant latest,
      @Nullable CompletableFuture<?> reason,
      CompletableFuture<@Nullable Void> over) {
    boolean isPointless() {
      return reason != null && reason.isDone();
    }
  }

  TimeDriver(Instant start, long seed) {
    this.environment = new SimulatedEnvironment(start, seed, this::wake);
    thread.setDaemon(true);
    thread.start();
  }

  SimulatedEnvironment environment() {
    return environment;
  }

  /** Completes when no work is pending. */
  CompletableFuture<@Nullable Void> whenIdle() {
    CompletableFuture<@Nullable Void> rest = new CompletableFuture<>();
    synchronized (lock) {
      if (closed) {
        return CompletableFuture.failedFuture(closedException());
      }
      resting.add(rest);
    }
    wake();
    return rest;
  }

  /**
   * Advances time to a point, and does everything that falls due on the way; completes when done.
   */
  CompletableFuture<@Nullable Void> advance(Instant until) {
    if (Thread.currentThread() == thread) {
      throw new IllegalStateException("a pod script or a fault cannot advance time");
    }
    return add(new Journey(until, null, new CompletableFuture<>()));
  }

  /**
   * Advances time from timer to timer up to a point, or until the reason completes; stops where
   * there are no timers.
   */
  CompletableFuture<@Nullable Void> advance(Instant latest, CompletableFuture<?> reason) {
    reason.whenComplete((_, _) -> wake());
    return add(new Journey(latest, reason, new CompletableFuture<>()));
  }

  private CompletableFuture<@Nullable Void> add(Journey journey) {
    synchronized (lock) {
      if (closed) {
        return CompletableFuture.failedFuture(closedException());
      }
      journeys.add(journey);
    }
    wake();
    return journey.over();
  }

  /** Records that an outside request is under way: time stands still until it is answered. */
  void onRequestStart() {
    synchronized (lock) {
      requests++;
    }
  }

  void onRequestEnd() {
    synchronized (lock) {
      requests--;
    }
    wake();
  }

  private void wake() {
    synchronized (lock) {
      woken = true;
      lock.notifyAll();
    }
  }

  private void run() {
    Scheduler scheduler = environment.scheduler();
    while (awaitWork()) {
      try {
        while (scheduler.work() || environment.time().jump(environment.time().instant())) {}
        onIdle();
      } catch (RuntimeException | Error fault) {
        LOG.error("A task of the control plane failed; continuing with the next", fault);
        wake();
      }
    }
  }

  /** Waits until there may be work; returns false if closed. */
  private boolean awaitWork() {
    synchronized (lock) {
      try {
        while (!woken && !closed) {
          lock.wait();
        }
        woken = false;
        return !closed;
      } catch (InterruptedException ended) {
        return false;
      }
    }
  }

  private void onIdle() {
    CompletableFuture<@Nullable Void> rested;
    Journey journey;
    synchronized (lock) {
      if (woken) {
        return; // Work has arrived meanwhile, and comes first.
      }
      rested = resting.poll();
      journey = rested == null && requests == 0 ? journeys.peek() : null;
    }
    if (rested != null) {
      rested.complete(null);
      wake();
    } else if (journey != null) {
      continueAdvance(journey);
    }
  }

  private void continueAdvance(Journey journey) {
    if (journey.isPointless() || !environment.time().jump(journey.latest())) {
      if (journey.reason() == null) {
        environment.time().passUntil(journey.latest());
      }
      synchronized (lock) {
        journeys.remove(journey);
      }
      journey.over().complete(null);
    }
    wake();
  }

  /** Stops the thread, and fails all pending waits. */
  @Override
  public void close() {
    synchronized (lock) {
      closed = true;
      lock.notifyAll();
    }
    try {
      thread.join();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    resting.forEach(rest -> rest.completeExceptionally(closedException()));
    journeys.forEach(journey -> journey.over().completeExceptionally(closedException()));
  }

  private static IllegalStateException closedException() {
    return new IllegalStateException("the control plane is closed: its test is over");
  }
}
