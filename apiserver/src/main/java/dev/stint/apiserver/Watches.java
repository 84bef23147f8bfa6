package dev.stint.apiserver;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.Watch;
import dev.stint.cluster.WatchEvent;
import dev.stint.cluster.WatchHandler;
import dev.stint.model.Kind;
import dev.stint.store.CompactedException;
import dev.stint.store.Entry;
import dev.stint.store.Store;
import dev.stint.store.StoreEvent;
import dev.stint.store.Subscription;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Turns what the store reports into what watchers of the API see. */
final class Watches {
  private final Store store;
  private final SharedObjects objects;
  private final Executor loop;

  Watches(Store store, SharedObjects objects, Executor loop) {
    this.store = store;
    this.objects = objects;
    this.loop = loop;
  }

  Watch watch(Kind kind, @Nullable String namespace, String afterRevision, WatchHandler handler) {
    Watcher watcher = new Watcher(afterRevision, handler);
    try {
      long after = Long.parseLong(afterRevision);
      watcher.follow(store.watch(Keys.prefix(kind, namespace), after, loop, watcher));
    } catch (NumberFormatException notANumber) {
      loop.execute(
          () -> watcher.end(Errors.badRequest("invalid resource version: " + afterRevision)));
    } catch (CompactedException tooOld) {
      loop.execute(watcher::compacted);
    }
    return watcher;
  }

  private WatchEvent event(StoreEvent event) {
    Entry before = event.before();
    Entry after = event.after();
    if (after != null) {
      return new WatchEvent(
          before == null ? WatchEvent.Type.ADDED : WatchEvent.Type.MODIFIED, objects.of(after));
    }
    if (before == null) {
      throw new IllegalArgumentException("an event without an entry: " + event);
    }
    return new WatchEvent(WatchEvent.Type.DELETED, objects.deleted(before, event.revision()));
  }

  /** One watch. */
  private final class Watcher implements Watch, Store.Listener {
    private final String afterRevision;
    private final WatchHandler handler;
    private volatile @Nullable Subscription subscription;
    private volatile boolean closed;

    Watcher(String afterRevision, WatchHandler handler) {
      this.afterRevision = afterRevision;
      this.handler = handler;
    }

    void follow(Subscription followed) {
      subscription = followed;
      if (closed) {
        followed.close();
      }
    }

    @Override
    public void events(List<StoreEvent> batch) {
      if (!closed) {
        handler.events(batch.stream().map(Watches.this::event).toList());
      }
    }

    @Override
    public void compacted() {
      end(Errors.gone(afterRevision));
    }

    void end(ClusterException cause) {
      if (!closed) {
        closed = true;
        handler.closed(cause);
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
