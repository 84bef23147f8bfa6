package dev.stint.apiserver.http;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The writes whose answers are still on their way to who asked for them. A watch lets these go
 * first, so that a client knows of its own write before others act on it, as it does where a watch
 * cache stands between the store and the watchers.
 */
public final class PendingWrites {
  /** So long a watch waits at most, whatever the clients do that take their answers. */
  private static final Duration LONGEST = Duration.ofMillis(5);

  private static final ThreadLocal<@Nullable Asked> CURRENT = new ThreadLocal<>();

  private final Set<Asked> pending = ConcurrentHashMap.newKeySet();

  /** A request of this thread, from its beginning until its answer is sent. */
  public static final class Asked implements AutoCloseable {
    private final CountDownLatch answered = new CountDownLatch(1);
    private @Nullable PendingWrites where;
    private volatile Future<?> result = CompletableFuture.completedFuture(null);

    private void register(Future<?> awaited) {
      if (where != null) {
        result = awaited;
        where.pending.add(this);
      }
    }

    /** Whether others may have heard of the write, so that its answer is all that is missing. */
    private boolean isKnown() {
      return result.isDone();
    }

    @Override
    public void close() {
      CURRENT.remove();
      answered.countDown();
      if (where != null) {
        where.pending.remove(this);
      }
    }
  }

  /** Begins a request, which ends with its answer. */
  public static Asked begin() {
    Asked asked = new Asked();
    CURRENT.set(asked);
    return asked;
  }

  /** Takes the request of this thread for one that may write. */
  public void mayWrite() {
    Asked asked = CURRENT.get();
    if (asked != null) {
      asked.where = this;
    }
  }

  /** Registers the request of this thread, which waits for the result of its write. */
  public static void waitsFor(Future<?> result) {
    Asked asked = CURRENT.get();
    if (asked != null) {
      asked.register(result);
    }
  }

  /** Counts the writes that wait for their answers. */
  int pending() {
    return pending.size();
  }

  /** Waits, for a moment at most, until the writes that are done by now are answered. */
  public void await() throws InterruptedException {
    long end = System.nanoTime() + LONGEST.toNanos();
    for (Asked write : pending) {
      if (write.isKnown() && !write.answered.await(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        return;
      }
    }
  }
}
