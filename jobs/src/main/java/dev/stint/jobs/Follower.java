package dev.stint.jobs;

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
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what matters of the objects of a kind as the API has them, by watching: lists again where
 * the watch can't go on.
 *
 * @param <T> what is kept of an object
 */
public final class Follower<T> implements AutoCloseable {
  private final Cluster cluster;
  private final Kind kind;
  private final @Nullable String namespace;
  private final Function<KubeObject, @Nullable T> view;
  private final Listener<T> listener;
  private final Map<String, Known<T>> known = new HashMap<>();
  private final Set<String> listed = new HashSet<>();
  private final CompletableFuture<ClusterException> failure = new CompletableFuture<>();
  private String listing = "";
  private @Nullable Watch watch;
  private boolean closed;

  private record Known<T>(String revision, T view) {}

  /**
   * Who hears of changes; one at a time, on any thread.
   *
   * @param <T> what is told of an object
   */
  public interface Listener<T> {
    /** An object is there, or has changed. */
    void is(T object);

    /** An object is gone. */
    void gone(T last);
  }

  /**
   * Nothing is asked for yet.
   *
   * @param namespace null for all
   * @param view what to keep of an object; null for nothing, of those that do not matter
   */
  public Follower(
      Cluster cluster,
      Kind kind,
      @Nullable String namespace,
      Function<KubeObject, @Nullable T> view,
      Listener<T> listener) {
    this.cluster = cluster;
    this.kind = kind;
    this.namespace = namespace;
    this.view = view;
    this.listener = listener;
  }

  /** Follows whole objects. */
  public static Follower<KubeObject> of(
      Cluster cluster, Kind kind, @Nullable String namespace, Listener<KubeObject> listener) {
    return new Follower<>(cluster, kind, namespace, object -> object, listener);
  }

  /**
   * Tells of all that is there, and from then on of all that changes.
   *
   * @throws ClusterException the first list is refused
   */
  public void start() {
    begin(Answers.await(cluster.list(kind, namespace, this::part)));
  }

  /** Completes where nothing more can be heard. */
  public CompletableFuture<ClusterException> failure() {
    return failure;
  }

  /** Takes a part of a list. One of another revision begins anew. */
  private synchronized CompletableFuture<?> part(ObjectList list) {
    if (!list.resourceVersion().equals(listing)) {
      listing = list.resourceVersion();
      listed.clear();
    }
    for (KubeObject object : list.items()) {
      if (!closed && is(object)) {
        listed.add(object.uid());
      }
    }
    return CompletableFuture.completedFuture(null);
  }

  /** All is listed: goes on from there. */
  private synchronized void begin(String revision) {
    if (closed) {
      return;
    }
    Map.copyOf(known)
        .forEach((uid, last) -> {
          if (!listed.contains(uid)) {
            gone(uid, last);
          }
        });
    listed.clear();
    listing = "";
    watch = cluster.watch(kind, namespace, revision, new Changes());
  }

  /** Whether it matters. */
  private boolean is(KubeObject object) {
    String uid = object.uid();
    Known<T> before = known.get(uid);
    if (before != null && before.revision().equals(object.resourceVersion())) {
      return true;
    }
    T now = view.apply(object);
    if (now == null) {
      gone(uid, before);
      return false;
    }
    known.put(uid, new Known<>(object.resourceVersion(), now));
    listener.is(now);
    return true;
  }

  private void gone(String uid, @Nullable Known<T> last) {
    known.remove(uid);
    if (last != null) {
      listener.gone(last.view());
    }
  }

  private void deleted(KubeObject object) {
    T last = view.apply(object);
    Known<T> before = known.get(object.uid());
    gone(object.uid(), last == null ? before : new Known<>(object.resourceVersion(), last));
  }

  private final class Changes implements WatchHandler {
    @Override
    public void event(WatchEvent event) {
      synchronized (Follower.this) {
        if (!closed && event.type() == WatchEvent.Type.DELETED) {
          deleted(event.object());
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
              .list(kind, namespace, Follower.this::part)
              .whenComplete((revision, refused) -> {
                if (refused == null) {
                  begin(revision);
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
