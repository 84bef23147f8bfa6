package dev.stint.apiserver;

import dev.stint.apiserver.strategy.ApiErrors;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.Watch;
import dev.stint.cluster.WatchEvent;
import dev.stint.cluster.WatchHandler;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.store.CompactedException;
import dev.stint.store.Entry;
import dev.stint.store.Store;
import dev.stint.store.StoreEvent;
import dev.stint.store.StoreView;
import dev.stint.store.Subscription;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Converts store events to watch events. */
public final class Watches {
  private static final Predicate<KubeObject> ALL = _ -> true;

  /**
   * The length of the objects that are made at once for a watch of a client, in bytes. A client
   * that does not read holds up the rest, which stays in the form that all watches share.
   */
  static final long PART_BYTES = 64 << 10;

  private final StoreView store;
  private final SharedObjects objects;
  private final Executor loop;

  Watches(StoreView store, SharedObjects objects, Executor loop) {
    this.store = store;
    this.objects = objects;
    this.loop = loop;
  }

  Watch watch(Kind kind, @Nullable String namespace, String afterRevision, WatchHandler handler) {
    try {
      Watcher watcher = whole(Long.parseLong(afterRevision), handler);
      return follow(StorageKeys.prefix(kind, namespace), watcher, loop);
    } catch (NumberFormatException notANumber) {
      Watcher watcher = whole(0, handler);
      loop.execute(
          () -> watcher.end(ApiErrors.badRequest("invalid resource version: " + afterRevision)));
      return watcher;
    }
  }

  /** Returns a watcher that sees all events of a change at once. */
  private Watcher whole(long afterRevision, WatchHandler handler) {
    return new Watcher(afterRevision, ALL, handler, Long.MAX_VALUE);
  }

  /**
   * Watches objects that match: an object that begins to match is reported as added, and one that
   * no longer matches as deleted, in its last matching state. The handler sees a few events at a
   * time, and the next ones are made when it returns.
   *
   * @param executor calls the handler; it must not run tasks in the calling thread
   */
  public Watcher watch(
      Kind kind,
      @Nullable String namespace,
      long afterRevision,
      Predicate<KubeObject> matching,
      Executor executor,
      WatchHandler handler) {
    Watcher watcher = new Watcher(afterRevision, matching, handler, PART_BYTES);
    return follow(StorageKeys.prefix(kind, namespace), watcher, executor);
  }

  /**
   * Watches one object, and those whose names begin with its name, without reading others.
   *
   * @param executor calls the handler; it must not run tasks in the calling thread
   */
  public Watcher watch(ObjectRef ref, long afterRevision, Executor executor, WatchHandler handler) {
    return follow(StorageKeys.of(ref), whole(afterRevision, handler), executor);
  }

  private Watcher follow(String prefix, Watcher watcher, Executor executor) {
    try {
      watcher.follow(store.watch(prefix, watcher.afterRevision, executor, watcher));
    } catch (CompactedException tooOld) {
      executor.execute(watcher::compacted);
    }
    return watcher;
  }

  /** One watch. */
  public final class Watcher implements Watch, Store.Listener {
    private final long afterRevision;
    private final Predicate<KubeObject> matching;
    private final WatchHandler handler;
    private final long partBytes;
    private volatile @Nullable Subscription subscription;
    private volatile boolean closed;

    Watcher(
        long afterRevision, Predicate<KubeObject> matching, WatchHandler handler, long partBytes) {
      this.afterRevision = afterRevision;
      this.matching = matching;
      this.handler = handler;
      this.partBytes = partBytes;
    }

    void follow(Subscription followed) {
      subscription = followed;
      if (closed) {
        followed.close();
      }
    }

    /**
     * Returns the newest revision up to which everything was delivered: the revision of a bookmark.
     */
    public long revision() {
      Subscription followed = subscription;
      return followed == null ? afterRevision : Math.max(afterRevision, followed.revision());
    }

    @Override
    public void events(List<StoreEvent> batch) {
      int from = 0;
      while (from < batch.size() && !closed) {
        int to = partEnd(batch, from);
        show(batch.subList(from, to));
        from = to;
      }
    }

    /** Returns the end of the events whose objects are made together: one of them at least. */
    private int partEnd(List<StoreEvent> batch, int from) {
      long length = length(batch.get(from));
      int to = from + 1;
      while (to < batch.size() && length + length(batch.get(to)) <= partBytes) {
        length += length(batch.get(to));
        to++;
      }
      return to;
    }

    private static long length(StoreEvent event) {
      Entry shown = event.after() == null ? event.before() : event.after();
      return shown == null ? 0 : shown.length();
    }

    private void show(List<StoreEvent> part) {
      List<WatchEvent> seen = new ArrayList<>();
      ClusterException failure = seen(part, seen);
      if (!seen.isEmpty()) {
        handler.onEvents(seen);
      }
      if (failure != null) {
        end(failure);
      }
    }

    /** Adds the events that the watcher sees; returns why the next one cannot be shown. */
    private @Nullable ClusterException seen(List<StoreEvent> batch, List<WatchEvent> seen) {
      try {
        batch.stream().map(this::event).filter(Objects::nonNull).forEach(seen::add);
        return null;
      } catch (ClusterException failed) {
        return failed;
      }
    }

    /** Returns the watch event for a store event; null if the watcher does not see it. */
    private @Nullable WatchEvent event(StoreEvent event) {
      Entry before = event.before();
      Entry after = event.after();
      KubeObject now = after == null ? null : objects.of(after);
      boolean matches = now != null && matching.test(now);
      boolean matched = before != null && (matching == ALL || matching.test(objects.peek(before)));
      if (now != null && matches) {
        return new WatchEvent(matched ? WatchEvent.Type.MODIFIED : WatchEvent.Type.ADDED, now);
      }
      if (before == null || !matched) {
        return null;
      }
      return new WatchEvent(
          WatchEvent.Type.DELETED,
          now == null
              ? objects.deleted(before, event.revision())
              : SharedObjects.at(objects.peek(before).tree(), event.revision()));
    }

    @Override
    public void compacted() {
      end(ApiErrors.gone(Long.toString(afterRevision)));
    }

    void end(ClusterException cause) {
      if (!closed) {
        closed = true;
        handler.onClosed(cause);
      }
    }

    @Override
    public void close() {
      closed = true;
      Subscription followed = subscription;
      if (followed != null) {
        followed.close();
      }
    }
  }
}
