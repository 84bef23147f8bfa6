package dev.stint.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The newest events, and the watches that read them.
 *
 * <p>It is a ring buffer: revisions have no gaps, so the event of revision {@code r} is at {@code r
 * mod size}. A watch holds only its position, so a slow watch costs no memory and delays no other.
 * One lock guards the ring and all positions. It is held while references are copied, never while a
 * listener runs.
 */
final class WatchCache {
  private static final Logger LOG = LoggerFactory.getLogger(WatchCache.class);
  private static final int MAX_BATCH = 1024;

  /** The most that a watch holds whose listener waits for a client that reads slowly. */
  private static final long MAX_BATCH_BYTES = 4 << 20;

  private final @Nullable StoreEvent[] ring;
  private final long maxBytes;
  private final Map<String, Set<Watcher>> watchers = new HashMap<>();

  /** The tasks to submit once events after a revision are dropped, by that revision. */
  private final NavigableMap<Long, Set<Runnable>> readers = new TreeMap<>();

  private long oldest;
  private long newest;

  /** The newest revision that is durable. */
  private long settled;

  private long bytes;
  private boolean closed;

  /**
   * @param revision the newest revision so far; the log holds no events up to it
   */
  WatchCache(long revision, StoreOptions options) {
    ring = new @Nullable StoreEvent[options.maxLogEvents()];
    maxBytes = options.maxLogBytes();
    newest = revision;
    settled = revision;
    oldest = revision + 1;
  }

  /**
   * Appends events and wakes the affected watches that are ahead of the disk, and the readers of
   * revisions that are no longer held.
   *
   * @return the events that were dropped, the oldest first
   */
  List<StoreEvent> append(List<StoreEvent> events) {
    List<StoreEvent> dropped = new ArrayList<>();
    List<Watcher> woken;
    List<Runnable> forgotten;
    synchronized (this) {
      long before = newest;
      events.forEach(event -> add(event, dropped));
      woken = wake(events, before, true);
      forgotten = forgotten();
    }
    woken.forEach(Watcher::submit);
    forgotten.forEach(Runnable::run);
    return dropped;
  }

  /** Records that the next events are durable, and wakes the other watches. */
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
   * Returns the events after one revision, up to and including another.
   *
   * @return null if some of them are still being appended
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

  long maxBytes() {
    return maxBytes;
  }

  /** Runs a task once events after a revision are dropped; what is returned ends that. */
  Runnable onForgotten(long revision, Executor executor, Runnable task) {
    Runnable submission = () -> executor.execute(task);
    synchronized (this) {
      if (isHeld(revision)) {
        readers.computeIfAbsent(revision, _ -> new HashSet<>()).add(submission);
        return () -> end(revision, submission);
      }
    }
    submission.run();
    return () -> {};
  }

  private boolean isHeld(long revision) {
    return revision >= oldest - 1;
  }

  private List<Runnable> forgotten() {
    List<Runnable> submissions = new ArrayList<>();
    while (!readers.isEmpty() && !isHeld(readers.firstKey())) {
      submissions.addAll(readers.pollFirstEntry().getValue());
    }
    return submissions;
  }

  private synchronized void end(long revision, Runnable submission) {
    Set<Runnable> group = readers.get(revision);
    if (group != null && group.remove(submission) && group.isEmpty()) {
      readers.remove(revision);
    }
  }

  /** Ends all watches. */
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
    // Watches wait for what is not durable yet. It is in memory anyway.
    while (bytes > maxBytes && oldest < newest && oldest <= settled) {
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
      synchronized (WatchCache.this) {
        return scheduled || ended ? position : Math.max(position, last());
      }
    }

    @Override
    public void close() {
      synchronized (WatchCache.this) {
        end();
      }
    }

    /** Returns the newest revision that this watch may report. */
    private long last() {
      return ahead ? newest : settled;
    }

    /**
     * Wakes an idle watch. It has seen all matching events, so it continues right before the new
     * ones.
     */
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
        LOG.debug("Closing a watch of {}: its executor has shut down", prefix);
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
        LOG.error(
            "A watch of {} fell behind and ended; its listener failed to handle that", prefix, e);
      }
    }

    /**
     * Passes events to the listener; true if it accepted them. If it fails, it has missed some and
     * must list again.
     */
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
        LOG.error(
            "Closing a watch of {}: its listener failed on an event and has to list again",
            prefix,
            e);
        close();
        compacted();
        return false;
      }
    }

    /** Returns the next events of all keys, empty if there are none; null if some were dropped. */
    private @Nullable List<StoreEvent> next() {
      synchronized (WatchCache.this) {
        if (ended) {
          return List.of();
        }
        if (position < oldest - 1) {
          end();
          return null;
        }
        List<StoreEvent> events = new ArrayList<>();
        long last = last();
        long taken = 0;
        for (long r = position + 1; r <= last && isRoom(events, taken); r++) {
          events.add(at(r));
          taken += size(events.getLast());
        }
        return events;
      }
    }

    private static boolean isRoom(List<StoreEvent> events, long bytes) {
      return events.size() < MAX_BATCH && bytes < MAX_BATCH_BYTES;
    }

    /** Moves past delivered events; true if there are more. */
    private boolean advance(List<StoreEvent> delivered) {
      synchronized (WatchCache.this) {
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
