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
 * The writes whose responses have not been sent yet. A watch waits for them, so that a client knows
 * of its own write before others act on it, as it does with a watch cache between the store and the
 * watchers.
 */
public final class PendingWrites {
  /** The longest time that a watch waits, however slowly clients read their responses. */
  private static final Duration LONGEST = Duration.ofMillis(5);

  private static final ThreadLocal<@Nullable Asked> CURRENT = new ThreadLocal<>();

  private final Set<Asked> pending = ConcurrentHashMap.newKeySet();

  /** The request of the current thread, from its beginning until its response is sent. */
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

    /** True if others may have seen the write, so that only its response is missing. */
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

  /** Begins a request, which ends with its response. */
  public static Asked begin() {
    Asked asked = new Asked();
    CURRENT.set(asked);
    return asked;
  }

  /** Marks the request of this thread as one that may write. */
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

  /** Counts the writes whose responses are pending. */
  int pending() {
    return pending.size();
  }

  /** Waits, for a limited time, until the writes that are done by now are answered. */
  public void await() throws InterruptedException {
    long end = System.nanoTime() + LONGEST.toNanos();
    for (Asked write : pending) {
      if (write.isKnown() && !write.answered.await(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        return;
      }
    }
  }
}
