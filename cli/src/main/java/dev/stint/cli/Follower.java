package dev.stint.cli;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.ObjectList;
import dev.stint.cluster.Watch;
import dev.stint.cluster.WatchEvent;
import dev.stint.cluster.WatchHandler;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the objects of a kind in a namespace as the API has them, by watching: lists again where
 * the watch can't go on.
 */
final class Follower implements AutoCloseable {
  private final Cluster cluster;
  private final Kind kind;
  private final String namespace;
  private final Listener listener;
  private final Map<String, KubeObject> known = new HashMap<>();
  private final CompletableFuture<ClusterException> failure = new CompletableFuture<>();
  private @Nullable Watch watch;
  private boolean closed;

  /** Who hears of changes; one at a time, on any thread. */
  interface Listener {
    /** An object is there, or has changed. */
    void is(KubeObject object);

    /** An object is gone. */
    void gone(KubeObject last);
  }

  Follower(Cluster cluster, Kind kind, String namespace, Listener listener) {
    this.cluster = cluster;
    this.kind = kind;
    this.namespace = namespace;
    this.listener = listener;
  }

  /**
   * Tells of all that is there, and from then on of all that changes.
   *
   * @throws ClusterException the first list is refused
   */
  void start() {
    begin(Applying.await(cluster.list(kind, namespace)));
  }

  /** Completes where nothing more can be heard. */
  CompletableFuture<ClusterException> failure() {
    return failure;
  }

  private synchronized void begin(ObjectList list) {
    if (closed) {
      return;
    }
    Set<String> there = new HashSet<>();
    for (KubeObject object : list.items()) {
      there.add(object.uid());
      is(object);
    }
    for (KubeObject object : Map.copyOf(known).values()) {
      if (!there.contains(object.uid())) {
        gone(object);
      }
    }
    watch = cluster.watch(kind, namespace, list.resourceVersion(), new Changes());
  }

  private void is(KubeObject object) {
    KubeObject before = known.put(object.uid(), object);
    if (before == null || !before.resourceVersion().equals(object.resourceVersion())) {
      listener.is(object);
    }
  }

  private void gone(KubeObject object) {
    known.remove(object.uid());
    listener.gone(object);
  }

  private final class Changes implements WatchHandler {
    @Override
    public void event(WatchEvent event) {
      synchronized (Follower.this) {
        if (!closed && event.type() == WatchEvent.Type.DELETED) {
          gone(event.object());
        } else if (!closed) {
          is(event.object());
        }
      }
    }

    @Override
    public void closed(@Nullable ClusterException cause) {
      if (cause != null && cause.reason() != Reason.GONE) {
        failure.complete(cause);
        return;
      }
      var _ =
          cluster
              .list(kind, namespace)
              .whenComplete((list, refused) -> {
                if (refused == null) {
                  begin(list);
                } else {
                  failure.complete(
                      ClusterException.causeOf(refused) instanceof ClusterException known
                          ? known
                          : new ClusterException(Reason.INTERNAL, String.valueOf(refused)));
                }
              });
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (watch != null) {
      watch.close();
    }
  }
}
