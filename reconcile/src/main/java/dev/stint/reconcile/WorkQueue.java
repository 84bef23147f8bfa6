package dev.stint.reconcile;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.EventLoop;
import dev.stint.model.ExponentialBackoff;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * A work queue with deduplication, a concurrency limit and retries. A key waits once, however often
 * it is added, and is never worked on twice at a time. Failed work is retried after an exponential
 * back-off with jitter. A key that is added during its back-off waits for at most a second of it,
 * since the obstacle may be gone.
 *
 * <p>The queue is used on the event loop only, and its callbacks run there. No work starts before
 * {@link #open}.
 *
 * @param <K> the type of keys; {@code toString} names a key in the log
 */
public final class WorkQueue<K> implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WorkQueue.class);
  private static final ExponentialBackoff RETRY =
      new ExponentialBackoff(Duration.ofMillis(10), Duration.ofSeconds(10));

  private static final int USUAL_WIDTH = 32;

  /** The longest time after a failure for which an added key waits. */
  private static final Duration LONGEST_QUIET = Duration.ofSeconds(1);

  /** Brings the object of a key into its desired state. */
  @FunctionalInterface
  public interface Worker<K> {
    /**
     * Does the work; may throw, and may complete on any thread.
     *
     * @return completes when the work is done; if it fails, the work is retried
     */
    CompletableFuture<@Nullable Void> work(K key);
  }

  private record Failure(int times, Instant quietUntil) {}

  private final String name;
  private final EventLoop loop;
  private final QueueMetrics metrics;
  private final int width;
  private final Worker<K> worker;
  private final DueKeys<K> timers;

  /** The times since which added keys wait, be they ready, busy or in a back-off. */
  private final Map<K, Instant> waitingSince = new HashMap<>();

  private final SequencedSet<K> ready = new LinkedHashSet<>();

  /** The times since which keys are worked on. */
  private final Map<K, Instant> busySince = new HashMap<>();

  private final Map<K, Failure> failures = new HashMap<>();
  private boolean open;
  private boolean closed;
  private boolean draining;

  /** Creates an empty queue of the usual width: 32 keys are worked on at once. */
  public WorkQueue(String name, EventLoop loop, QueueMetrics metrics, Worker<K> worker) {
    this(name, loop, metrics, USUAL_WIDTH, worker);
  }

  /**
   * Creates an empty queue.
   *
   * @param name the name of the controller, for the log
   * @param width the number of keys that are worked on at once
   */
  public WorkQueue(String name, EventLoop loop, QueueMetrics metrics, int width, Worker<K> worker) {
    this.name = name;
    this.loop = loop;
    this.metrics = metrics;
    this.width = width;
    this.worker = worker;
    this.timers = new DueKeys<>(loop, this::add);
  }

  /** Starts to work on keys. */
  public void open() {
    open = true;
    drainSoon();
  }

  /** Starts no more work; running work continues. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      timers.close();
      metrics.onDrop(waitingSince.size());
      waitingSince.clear();
      ready.clear();
    }
  }

  /** Schedules work on a key soon; once more if it is being worked on now. */
  public void add(K key) {
    if (!closed && waitingSince.putIfAbsent(key, loop.now()) == null) {
      metrics.onAdd();
      if (!busySince.containsKey(key)) {
        enqueue(key);
      }
    } else if (isInBackoff(key)) {
      enqueue(key); // Its timer may just have fired.
    }
  }

  /**
   * Schedules work on a key at a time, or earlier if it is added before; replaces a former time. If
   * the clock is set back, it is the time that was left which counts: whoever goes by the clock
   * looks at it, and schedules the work again.
   */
  public void addAt(K key, Instant due) {
    timers.put(key, due);
  }

  /** Cancels the time set for a key, and forgets its failures. */
  public void forget(K key) {
    timers.remove(key);
    failures.remove(key);
    if (waitingSince.containsKey(key) && !busySince.containsKey(key)) {
      enqueue(key); // It may have waited for the timer that is cancelled here.
    }
  }

  private boolean isInBackoff(K key) {
    return !closed && failures.containsKey(key) && !busySince.containsKey(key);
  }

  private void enqueue(K key) {
    Failure failure = failures.get(key);
    if (failure != null && isQuiet(failure)) {
      timers.put(key, failure.quietUntil());
    } else if (ready.add(key)) {
      drainSoon();
    }
  }

  /** A clock that was set back must not make the quiet time longer. */
  private boolean isQuiet(Failure failure) {
    Duration left = Duration.between(loop.now(), failure.quietUntil());
    return left.isPositive() && left.compareTo(LONGEST_QUIET) <= 0;
  }

  private void drainSoon() {
    if (open && !draining) {
      draining = true;
      loop.execute(this::drain);
    }
  }

  /** Starts work on one key at a time, so that watch events and answers are handled in between. */
  private void drain() {
    draining = false;
    if (!closed && busySince.size() < width && !ready.isEmpty()) {
      start(ready.removeFirst());
      if (!ready.isEmpty()) {
        drainSoon();
      }
    }
  }

  private void start(K key) {
    Instant now = loop.now();
    Instant since = waitingSince.remove(key);
    timers.remove(key);
    busySince.put(key, now);
    metrics.onStart(key, since == null ? Duration.ZERO : Duration.between(since, now));
    CompletableFuture<@Nullable Void> done = answer(key);
    if (done.isDone()) {
      done.whenComplete((_, failure) -> onDone(key, failure));
    } else {
      done.whenCompleteAsync((_, failure) -> onDone(key, failure), loop);
    }
  }

  private CompletableFuture<@Nullable Void> answer(K key) {
    try {
      return worker.work(key);
    } catch (RuntimeException fault) {
      return CompletableFuture.failedFuture(fault);
    }
  }

  private void onDone(K key, @Nullable Throwable failure) {
    Instant start = busySince.remove(key);
    metrics.onDone(key, start == null ? Duration.ZERO : Duration.between(start, loop.now()));
    if (failure == null) {
      failures.remove(key);
    } else if (!closed) {
      onFailure(key, ClusterException.causeOf(failure));
    }
    if (waitingSince.containsKey(key)) {
      enqueue(key);
    }
    if (!ready.isEmpty()) {
      drainSoon();
    }
  }

  private void onFailure(K key, Throwable cause) {
    Failure before = failures.get(key);
    int times = before == null ? 1 : before.times() + 1;
    Duration delay = RETRY.jittered(times, loop.random());
    Duration quiet = delay.compareTo(LONGEST_QUIET) < 0 ? delay : LONGEST_QUIET;
    Instant now = loop.now();
    failures.put(key, new Failure(times, now.plus(quiet)));
    metrics.onRetry();
    log(key, cause, times, delay);
    timers.put(key, now.plus(delay));
  }

  private void log(K key, Throwable cause, int times, Duration delay) {
    if (!(cause instanceof ClusterException answer)) {
      LOG.error("{}: internal error while handling {}; retrying in {}", name, key, delay, cause);
      return;
    }
    Level level = times > 1 || isExpected(answer) ? Level.DEBUG : Level.WARN;
    LOG.atLevel(level)
        .log(
            "{}: handling {} failed; retrying in {}, then with growing delays: {}",
            name,
            key,
            delay,
            answer.getMessage());
  }

  private static boolean isExpected(ClusterException answer) {
    return answer.isTransient()
        || answer.isWithheld() // The new leader takes over; the loss is logged already.
        || answer.reason() == Reason.CONFLICT
        || answer.reason() == Reason.NOT_FOUND;
  }
}
