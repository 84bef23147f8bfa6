package dev.stint.controllers;

import dev.stint.cluster.Timers;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What is to be done when. However much is on it, only the next entry has a timer.
 *
 * <p>Used on its owner's executor only, and calls back there.
 */
final class Agenda<K> {
  private record Entry<K>(Instant due, long order, K key) {}

  private final Executor loop;
  private final InstantSource clock;
  private final Timers timers;
  private final Consumer<K> action;
  private final Map<K, Entry<K>> entries = new HashMap<>();
  private final TreeSet<Entry<K>> inOrder =
      new TreeSet<>(
          Comparator.<Entry<K>, Instant>comparing(Entry::due).thenComparingLong(Entry::order));
  private @Nullable Instant armed;
  private Runnable cancel = () -> {};
  private long order;
  private boolean closed;

  Agenda(Executor loop, InstantSource clock, Timers timers, Consumer<K> action) {
    this.loop = loop;
    this.clock = clock;
    this.timers = timers;
    this.action = action;
  }

  /** Puts a key on it, in place of when it was due before. */
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

  void remove(K key) {
    Entry<K> entry = entries.remove(key);
    if (entry != null) {
      inOrder.remove(entry);
    }
  }

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
      return; // The timer that runs goes off in time, and sets the one after it.
    }
    cancel.run();
    armed = next;
    Duration delay = Duration.between(clock.instant(), next);
    cancel =
        timers.after(delay.isNegative() ? Duration.ZERO : delay, () -> loop.execute(this::due));
  }

  private void due() {
    if (closed) {
      return;
    }
    armed = null;
    Instant now = clock.instant();
    while (!inOrder.isEmpty() && !inOrder.first().due().isAfter(now)) {
      Entry<K> entry = inOrder.removeFirst();
      entries.remove(entry.key());
      action.accept(entry.key());
    }
    arm();
  }
}
