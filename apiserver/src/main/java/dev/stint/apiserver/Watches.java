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
      long after = Long.parseLong(afterRevision);
      return watch(kind, namespace, after, ALL, loop, handler);
    } catch (NumberFormatException notANumber) {
      Watcher watcher = new Watcher(0, ALL, handler);
      loop.execute(
          () -> watcher.end(ApiErrors.badRequest("invalid resource version: " + afterRevision)));
      return watcher;
    }
  }

  /**
   * Watches objects that match: an object that begins to match is reported as added, and one that
   * no longer matches as deleted, in its last matching state.
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
    Watcher watcher = new Watcher(afterRevision, matching, handler);
    return follow(StorageKeys.prefix(kind, namespace), watcher, executor);
  }

  /**
   * Watches one object, and those whose names begin with its name, without reading others.
   *
   * @param executor calls the handler; it must not run tasks in the calling thread
   */
  public Watcher watch(ObjectRef ref, long afterRevision, Executor executor, WatchHandler handler) {
    return follow(StorageKeys.of(ref), new Watcher(afterRevision, ALL, handler), executor);
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
    private volatile @Nullable Subscription subscription;
    private volatile boolean closed;

    Watcher(long afterRevision, Predicate<KubeObject> matching, WatchHandler handler) {
      this.afterRevision = afterRevision;
      this.matching = matching;
      this.handler = handler;
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
      if (closed) {
        return;
      }
      List<WatchEvent> seen = new ArrayList<>();
      ClusterException failure = seen(batch, seen);
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
