package dev.stint.reconcile;

import dev.stint.cluster.EventLoop;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A queue of keys with due times. Only the next key has a timer.
 *
 * <p>The queue is used on the event loop only, and its callbacks run there.
 */
final class TimerQueue<K> {
  private record Entry<K>(Instant due, long order, K key) implements Comparable<Entry<K>> {
    @Override
    public int compareTo(Entry<K> other) {
      int byTime = due.compareTo(other.due);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  private final EventLoop loop;
  private final Consumer<K> onDue;
  private final Map<K, Entry<K>> entries = new HashMap<>();
  private final TreeSet<Entry<K>> inOrder = new TreeSet<>();

  /** When the running timer fires, if not sooner; null if there is none. */
  private @Nullable Instant armed;

  private Runnable cancel = () -> {};
  private long order;
  private boolean closed;

  /**
   * Creates an empty queue.
   *
   * @param onDue called with each key when it is due
   */
  TimerQueue(EventLoop loop, Consumer<K> onDue) {
    this.loop = loop;
    this.onDue = onDue;
  }

  /** Sets the due time of a key, in place of a former one. */
  void put(K key, Instant due) {
    if (closed) {
      return;
    }
    remove(key);
    Entry<K> entry = new Entry<>(due, order++, key);
    entries.put(key, entry);
    inOrder.add(entry);
    arm();
  }

  /** Removes a key; does nothing if it is not in the queue. */
  void remove(K key) {
    Entry<K> entry = entries.remove(key);
    if (entry != null) {
      inOrder.remove(entry);
    }
  }

  /** Cancels all timers. */
  void close() {
    closed = true;
    cancel.run();
  }

  private void arm() {
    if (inOrder.isEmpty()) {
      return;
    }
    Instant next = inOrder.first().due();
    if (armed != null && !next.isBefore(armed)) {
      return; // The running timer fires in time, and arms the next one.
    }
    cancel.run();
    armed = next;
    cancel = loop.within(Duration.between(loop.now(), next), this::onTimer);
  }

  private void onTimer() {
    if (closed) {
      return;
    }
    armed = null;
    Instant now = loop.now();
    List<K> due = new ArrayList<>();
    while (!inOrder.isEmpty() && !inOrder.first().due().isAfter(now)) {
      Entry<K> entry = inOrder.removeFirst();
      entries.remove(entry.key());
      due.add(entry.key());
    }
    due.forEach(onDue);
    arm();
  }
}
