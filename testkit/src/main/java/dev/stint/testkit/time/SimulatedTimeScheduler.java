package dev.stint.testkit.time;

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
public final class SimulatedTimeScheduler implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SimulatedTimeScheduler.class);

  private final SimulatedEnvironment environment;
  private final Thread thread = new Thread(this::run, "stint-simulated");
  private final Object lock = new Object();

  /** Callers that wait until no work is pending. Guarded by the lock, as are all fields below. */
  private final Queue<CompletableFuture<@Nullable Void>> idleWaiters = new ArrayDeque<>();

  private final Queue<Advance> advances = new ArrayDeque<>();
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
  private record Advance(
      Instant latest,
      @Nullable CompletableFuture<?> reason,
      CompletableFuture<@Nullable Void> done) {
    boolean isPointless() {
      return reason != null && reason.isDone();
    }
  }

  public SimulatedTimeScheduler(Instant start, long seed) {
    this.environment = new SimulatedEnvironment(start, seed, this::wake);
    thread.setDaemon(true);
    thread.start();
  }

  public SimulatedEnvironment environment() {
    return environment;
  }

  /** Completes when no work is pending. */
  public CompletableFuture<@Nullable Void> whenIdle() {
    CompletableFuture<@Nullable Void> rest = new CompletableFuture<>();
    synchronized (lock) {
      if (closed) {
        return CompletableFuture.failedFuture(closedException());
      }
      idleWaiters.add(rest);
    }
    wake();
    return rest;
  }

  /**
   * Advances time to a point, and does everything that falls due on the way; completes when done.
   */
  public CompletableFuture<@Nullable Void> advance(Instant until) {
    if (Thread.currentThread() == thread) {
      throw new IllegalStateException("a pod script or a fault cannot advance time");
    }
    return add(new Advance(until, null, new CompletableFuture<>()));
  }

  /**
   * Advances time from timer to timer up to a point, or until the reason completes; stops where
   * there are no timers.
   */
  public CompletableFuture<@Nullable Void> advance(Instant latest, CompletableFuture<?> reason) {
    reason.whenComplete((_, _) -> wake());
    return add(new Advance(latest, reason, new CompletableFuture<>()));
  }

  private CompletableFuture<@Nullable Void> add(Advance advance) {
    synchronized (lock) {
      if (closed) {
        return CompletableFuture.failedFuture(closedException());
      }
      advances.add(advance);
    }
    wake();
    return advance.done();
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
    CompletableFuture<@Nullable Void> waiter;
    Advance advance;
    synchronized (lock) {
      if (woken) {
        return; // Work has arrived meanwhile, and comes first.
      }
      waiter = idleWaiters.poll();
      advance = waiter == null && requests == 0 ? advances.peek() : null;
    }
    if (waiter != null) {
      waiter.complete(null);
      wake();
    } else if (advance != null) {
      continueAdvance(advance);
    }
  }

  private void continueAdvance(Advance advance) {
    if (advance.isPointless() || !environment.time().jump(advance.latest())) {
      if (advance.reason() == null) {
        environment.time().passUntil(advance.latest());
      }
      synchronized (lock) {
        advances.remove(advance);
      }
      advance.done().complete(null);
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
    idleWaiters.forEach(rest -> rest.completeExceptionally(closedException()));
    advances.forEach(advance -> advance.done().completeExceptionally(closedException()));
  }

  private static IllegalStateException closedException() {
    return new IllegalStateException("the control plane is closed: its test is over");
  }
}
