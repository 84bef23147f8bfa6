package dev.stint.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The newest events, and the watches that are served from them.
 *
 * <p>A ring, as revisions have no gaps: the event of revision {@code r} is at {@code r mod size}. A
 * watch holds nothing but its position in it, so a slow one costs no memory and delays nobody. One
 * lock guards the ring and all positions; it is held for copying references, never while a listener
 * runs.
 */
final class EventLog {
  private static final Logger LOG = LoggerFactory.getLogger(EventLog.class);
  private static final int MAX_BATCH = 1024;

  private final @Nullable StoreEvent[] ring;
  private final long maxBytes;
  private final Map<String, Set<Watcher>> watchers = new HashMap<>();
  private long oldest;
  private long newest;

  /** The newest revision that is durable. */
  private long settled;

  private long bytes;
  private boolean closed;

  /**
   * @param revision the newest revision so far; events up to it are not held
   */
  EventLog(long revision, StoreOptions options) {
    ring = new @Nullable StoreEvent[options.maxLogEvents()];
    maxBytes = options.maxLogBytes();
    newest = revision;
    settled = revision;
    oldest = revision + 1;
  }

  /**
   * Takes in events and wakes the watches that they matter to, of those ahead of the disk.
   *
   * @return the events that are not held any more, the oldest first
   */
  List<StoreEvent> append(List<StoreEvent> events) {
    List<StoreEvent> dropped = new ArrayList<>();
    List<Watcher> woken;
    synchronized (this) {
      long before = newest;
      events.forEach(event -> add(event, dropped));
      woken = wake(events, before, true);
    }
    woken.forEach(Watcher::submit);
    return dropped;
  }

  /** Takes note that events are durable, the next ones in order, and wakes the other watches. */
  void settle(List<StoreEvent> events) {
    List<Watcher> woken;
    synchronized (this) {
      long before = settled;
      settled = events.getLast().revision();
      woken = wake(events, before, false);
    }
    woken.forEach(Watcher::submit);
  }

  Subscription watch(
      boolean ahead, String prefix, long afterRevision, Executor executor, Store.Listener listener)
      throws CompactedException {
    Watcher watcher = new Watcher(ahead, prefix, afterRevision, executor, listener);
    synchronized (this) {
      if (afterRevision < oldest - 1) {
        throw new CompactedException(afterRevision, oldest - 1);
      }
      if (closed) {
        return watcher;
      }
      watchers.computeIfAbsent(prefix, _ -> new LinkedHashSet<>()).add(watcher);
      watcher.scheduled = afterRevision < watcher.last();
      if (!watcher.scheduled) {
        return watcher;
      }
    }
    watcher.submit();
    return watcher;
  }

  /**
   * The events after one revision, up to another and with it.
   *
   * @return null where the log does not know all of them yet, as they are being appended
   * @throws CompactedException some are no longer held
   */
  synchronized @Nullable List<StoreEvent> between(long after, long last) throws CompactedException {
    if (after < oldest - 1) {
      throw new CompactedException(after, oldest - 1);
    }
    if (newest < last) {
      return null;
    }
    List<StoreEvent> events = new ArrayList<>();
    for (long revision = after + 1; revision <= last; revision++) {
      events.add(at(revision));
    }
    return events;
  }

  /** Watches get nothing more. */
  synchronized void close() {
    closed = true;
    watchers.values().forEach(group -> group.forEach(watcher -> watcher.ended = true));
    watchers.clear();
  }

  private void add(StoreEvent event, List<StoreEvent> dropped) {
    if (event.revision() - oldest == ring.length) {
      dropped.add(dropOldest());
    }
    ring[slot(event.revision())] = event;
    newest = event.revision();
    bytes += size(event);
    while (bytes > maxBytes && oldest < newest) {
      dropped.add(dropOldest());
    }
  }

  private StoreEvent dropOldest() {
    StoreEvent event = at(oldest);
    bytes -= size(event);
    ring[slot(oldest)] = null;
    oldest++;
    return event;
  }

  private List<Watcher> wake(List<StoreEvent> events, long before, boolean ahead) {
    NavigableSet<String> touched = new TreeSet<>();
    events.forEach(event -> touched.add(event.key()));
    List<Watcher> woken = new ArrayList<>();
    watchers.forEach((prefix, group) -> {
      String first = touched.ceiling(prefix);
      if (first != null && first.startsWith(prefix)) {
        for (Watcher watcher : group) {
          if (watcher.ahead == ahead && watcher.wake(before)) {
            woken.add(watcher);
          }
        }
      }
    });
    return woken;
  }

  private StoreEvent at(long revision) {
    StoreEvent event = ring[slot(revision)];
    if (event == null) {
      throw new IllegalStateException("no event at revision " + revision);
    }
    return event;
  }

  private int slot(long revision) {
    return (int) (revision % ring.length);
  }

  private static long size(StoreEvent event) {
    return event.key().length() + size(event.before()) + size(event.after());
  }

  private static long size(@Nullable Entry entry) {
    return entry == null ? 0 : entry.length();
  }

  /** One watch. Its fields are guarded by the log. */
  private final class Watcher implements Subscription {
    private final boolean ahead;
    private final String prefix;
    private final Executor executor;
    private final Store.Listener listener;
    private long position;
    private boolean scheduled;
    private boolean ended;

    Watcher(
        boolean ahead, String prefix, long position, Executor executor, Store.Listener listener) {
      this.ahead = ahead;
      this.prefix = prefix;
      this.position = position;
      this.executor = executor;
      this.listener = listener;
    }

    @Override
    public long revision() {
      synchronized (EventLog.this) {
        return scheduled || ended ? position : Math.max(position, last());
      }
    }

    @Override
    public void close() {
      synchronized (EventLog.this) {
        end();
      }
    }

    /** The newest revision that it may know of. */
    private long last() {
      return ahead ? newest : settled;
    }

    /** An idle watch has seen all that matters to it, so it stands right before what is new. */
    private boolean wake(long before) {
      if (scheduled) {
        return false;
      }
      position = Math.max(position, before);
      scheduled = true;
      return true;
    }

    private void submit() {
      try {
        executor.execute(this::run);
      } catch (RejectedExecutionException e) {
        LOG.debug("a watch of {} ends, as its executor has shut down", prefix);
        close();
      }
    }

    private void run() {
      List<StoreEvent> next = next();
      if (next == null) {
        compacted();
      } else if (deliver(next) && advance(next)) {
        submit();
      }
    }

    private void compacted() {
      try {
        listener.compacted();
      } catch (RuntimeException | Error e) {
        LOG.error("a watch of {} could not take that it fell behind; it has ended", prefix, e);
      }
    }

    /** Whether the listener took them; one that failed has missed some, so it must list again. */
    private boolean deliver(List<StoreEvent> next) {
      List<StoreEvent> matching = new ArrayList<>(next.size());
      for (StoreEvent event : next) {
        if (event.key().startsWith(prefix)) {
          matching.add(event);
        }
      }
      try {
        if (!matching.isEmpty()) {
          listener.events(matching);
        }
        return true;
      } catch (RuntimeException | Error e) {
        LOG.error("a watch of {} failed on an event; it has to list again", prefix, e);
        close();
        compacted();
        return false;
      }
    }

    /** The next events of all keys, empty where there are none; null if some are gone. */
    private @Nullable List<StoreEvent> next() {
      synchronized (EventLog.this) {
        if (ended) {
          return List.of();
        }
        if (position < oldest - 1) {
          end();
          return null;
        }
        List<StoreEvent> events = new ArrayList<>();
        long last = last();
        for (long r = position + 1; r <= last && events.size() < MAX_BATCH; r++) {
          events.add(at(r));
        }
        return events;
      }
    }

    /** Whether there is more. */
    private boolean advance(List<StoreEvent> delivered) {
      synchronized (EventLog.this) {
        position = delivered.isEmpty() ? position : delivered.getLast().revision();
        scheduled = !ended && position < last();
        return scheduled;
      }
    }

    private void end() {
      ended = true;
      Set<Watcher> group = watchers.get(prefix);
      if (group != null && group.remove(this) && group.isEmpty()) {
        watchers.remove(prefix);
      }
    }
  }
}
