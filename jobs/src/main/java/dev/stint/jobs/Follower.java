package dev.stint.jobs;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.EventLoop;
import dev.stint.cluster.SteadyClock;
import dev.stint.cluster.Timers;
import dev.stint.cluster.WatchEvent;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.reconcile.Reflector;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Lists and watches the objects of one kind, or a single object, for an interactive client. Keeps a
 * view of each object. Gives up if the first list fails, once the API refuses to list them, and
 * once it has not answered for some two minutes. Goes on after a failure that passes, such as a
 * restart of the API.
 *
 * @param <T> the view that is kept of an object
 */
public final class Follower<T> implements AutoCloseable {
  /** So many lists in a row, which take some two minutes, may fail. */
  private static final int MOST_FAILURES = 40;

  private final Function<KubeObject, @Nullable T> view;
  private final Listener<T> listener;
  private final Reflector reflector;
  private final Map<String, Known<T>> known = new HashMap<>();
  private final CompletableFuture<@Nullable Void> started = new CompletableFuture<>();
  private final CompletableFuture<ClusterException> failure = new CompletableFuture<>();

  private record Known<T>(String revision, T view) {}

  /**
   * Receives changes, one at a time, on any thread.
   *
   * @param <T> the view of an object
   */
  public interface Listener<T> {
    /** Called when an object exists or has changed. */
    void onUpdate(T object);

    /** Called when an object no longer exists or no longer matters. */
    void onDelete(T last);
  }

  /**
   * Creates a follower that has not sent any request yet.
   *
   * @param namespace null for all
   * @param random for the jitter of retries; used by this follower only
   * @param view returns what to keep of an object; null if the object does not matter
   */
  public Follower(
      Cluster cluster,
      Kind kind,
      @Nullable String namespace,
      Timers timers,
      RandomGenerator random,
      Function<KubeObject, @Nullable T> view,
      Listener<T> listener) {
    this.view = view;
    this.listener = listener;
    this.reflector = new Reflector(cluster, kind, namespace, loop(timers, random), new Changes());
  }

  private Follower(
      Cluster cluster,
      ObjectRef object,
      Timers timers,
      RandomGenerator random,
      Function<KubeObject, @Nullable T> view,
      Listener<T> listener) {
    this.view = view;
    this.listener = listener;
    this.reflector = Reflector.ofObject(cluster, object, loop(timers, random), new Changes());
  }

  /** Returns a loop on which one task runs at a time, on any thread. */
  private EventLoop loop(Timers timers, RandomGenerator random) {
    Executor oneAtATime =
        task -> {
          synchronized (this) {
            task.run();
          }
        };
    return new EventLoop(oneAtATime, InstantSource.system(), new SteadyClock(), timers, random);
  }

  /** Follows whole objects. */
  public static Follower<KubeObject> of(
      Cluster cluster,
      Kind kind,
      @Nullable String namespace,
      Timers timers,
      RandomGenerator random,
      Listener<KubeObject> listener) {
    return new Follower<>(cluster, kind, namespace, timers, random, object -> object, listener);
  }

  /** Follows one object, which may not exist yet. */
  public static Follower<KubeObject> ofObject(
      Cluster cluster,
      ObjectRef object,
      Timers timers,
      RandomGenerator random,
      Listener<KubeObject> listener) {
    return new Follower<>(cluster, object, timers, random, found -> found, listener);
  }

  /**
   * Records, before the start, an object that the listener knows: its deletion is reported, even if
   * the first list has it no more. Its state is reported only if it is another one by then.
   */
  public synchronized void expect(KubeObject object) {
    T now = view.apply(object);
    if (now != null) {
      known.put(object.uid(), new Known<>(object.resourceVersion(), now));
    }
  }

  /**
   * Reports all existing objects to the listener, and every later change.
   *
   * @throws ClusterException if the first list is refused
   */
  public void start() {
    ApiCalls.await(begin());
  }

  /**
   * Starts as {@link #start()}, and does not wait.
   *
   * @return completes once all existing objects are reported; fails with a {@link ClusterException}
   *     if the first list is refused
   */
  public synchronized CompletableFuture<?> begin() {
    reflector.start();
    return started;
  }

  /** Returns a future that completes once the follower has failed and reports no more changes. */
  public CompletableFuture<ClusterException> failure() {
    return failure;
  }

  @Override
  public synchronized void close() {
    reflector.close();
    started.completeExceptionally(new ClusterException(Reason.UNAVAILABLE, "closed"));
  }

  private final class Changes implements Reflector.Listener {
    private final Set<String> listed = new HashSet<>();

    /** The number of lists that have failed since the last one that worked. */
    private int failures;

    @Override
    public void onListStart(String revision) {
      listed.clear();
    }

    @Override
    public void onListed(KubeObject object) {
      if (update(object)) {
        listed.add(object.uid());
      }
    }

    @Override
    public void onListEnd() {
      new HashMap<>(known)
          .forEach((uid, last) -> {
            if (!listed.contains(uid)) {
              delete(uid, last);
            }
          });
      listed.clear();
      failures = 0;
      started.complete(null);
    }

    @Override
    public void onEvent(WatchEvent event) {
      KubeObject object = event.object();
      if (event.type() == WatchEvent.Type.DELETED) {
        T last = view.apply(object);
        Known<T> before = known.get(object.uid());
        delete(object.uid(), last == null ? before : new Known<>(object.resourceVersion(), last));
      } else {
        update(object);
      }
    }

    /**
     * A first list that fails is the caller's to know, and so is a refusal that will not pass, or
     * an API that has gone.
     */
    @Override
    public boolean onListFailure(Throwable cause) {
      if (started.isDone()
          && ++failures < MOST_FAILURES
          && cause instanceof ClusterException passing
          && passing.isTransient()) {
        return true;
      }
      giveUp(
          cause instanceof ClusterException refused
              ? refused
              : new ClusterException(Reason.INTERNAL, String.valueOf(cause)));
      return false;
    }

    /** A refusal that will not pass is the user's to know. */
    @Override
    public boolean onWatchFailure(ClusterException cause) {
      if (cause.isTransient()) {
        return true;
      }
      giveUp(cause);
      return false;
    }

    private void giveUp(ClusterException why) {
      if (!started.completeExceptionally(why)) {
        failure.complete(why);
      }
    }

    /** Returns true if the object matters. */
    private boolean update(KubeObject object) {
      String uid = object.uid();
      Known<T> before = known.get(uid);
      if (before != null && before.revision().equals(object.resourceVersion())) {
        return true;
      }
      T now = view.apply(object);
      if (now == null) {
        delete(uid, before);
        return false;
      }
      known.put(uid, new Known<>(object.resourceVersion(), now));
      listener.onUpdate(now);
      return true;
    }

    private void delete(String uid, @Nullable Known<T> last) {
      known.remove(uid);
      if (last != null) {
        listener.onDelete(last.view());
      }
    }
  }
}
