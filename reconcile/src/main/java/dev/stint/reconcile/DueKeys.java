package dev.stint.reconcile;

import dev.stint.cluster.EventLoop;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The times at which keys are due. A key is due when the clock says so, also after a sleep of the
 * machine, or once as much time has passed as there was left: a clock that is set back delays no
 * key by more than a second. It may make one too early, so whoever goes by the clock looks at it,
 * and puts the key again.
 *
 * <p>It is used on the event loop only, and its callbacks run there.
 */
final class DueKeys<K> {
  /** Clocks differ a little even if nobody sets them, and a key should not be due too early. */
  static final Duration SLACK = Duration.ofSeconds(1);

  private final EventLoop loop;
  private final Consumer<K> onDue;
  private final TimerQueue<K> byClock;

  /** The same keys, a little later; null if nobody sets the clock, which is then enough. */
  private final @Nullable TimerQueue<K> bySteadyClock;

  /**
   * Creates an instance without keys.
   *
   * @param onDue called with each key when it is due
   */
  DueKeys(EventLoop loop, Consumer<K> onDue) {
    this.loop = loop;
    this.onDue = onDue;
    this.byClock = new TimerQueue<>(loop, this::onDue);
    this.bySteadyClock =
        loop.clock().equals(loop.steady())
            ? null
            : new TimerQueue<>(
                new EventLoop(loop.executor(), loop.steady(), loop.timers(), loop.random()),
                this::onDue);
  }

  /** Sets the due time of a key, in place of a former one. */
  void put(K key, Instant due) {
    byClock.put(key, due);
    if (bySteadyClock != null) {
      Duration left = Duration.between(loop.now(), due);
      bySteadyClock.put(key, loop.steadyNow().plus(left).plus(SLACK));
    }
  }

  /** Removes a key; does nothing if it has no due time. */
  void remove(K key) {
    byClock.remove(key);
    if (bySteadyClock != null) {
      bySteadyClock.remove(key);
    }
  }

  /** Cancels all timers. */
  void close() {
    byClock.close();
    if (bySteadyClock != null) {
      bySteadyClock.close();
    }
  }

  private void onDue(K key) {
    remove(key);
    onDue.accept(key);
  }
}
