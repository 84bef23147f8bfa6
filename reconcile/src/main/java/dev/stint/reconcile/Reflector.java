package dev.stint.reconcile;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.EventLoop;
import dev.stint.cluster.ObjectList;
import dev.stint.cluster.RetryAfter;
import dev.stint.cluster.Watch;
import dev.stint.cluster.WatchEvent;
import dev.stint.cluster.WatchHandler;
import dev.stint.model.ExponentialBackoff;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists the objects of a kind, watches them from there, and lists them again if the watch cannot be
 * resumed. Follows a single object in the same way ({@link #ofObject}); the list is then the object
 * itself, or empty if it does not exist. All components that follow objects of an API use this
 * class, so the policy is the same everywhere. Benchmarks, simulations and tests, which must fail
 * if a watch ends, watch by themselves. The policy:
 *
 * <ul>
 *   <li>A list that fails is repeated after an exponential back-off with jitter, and no sooner than
 *       the API asks for.
 *   <li>A watch that has expired ({@code GONE}) is replaced by a list at once.
 *   <li>A watch that ends or breaks is replaced by a list after the first delay of that back-off.
 *   <li>Watches that end or expire again without an event are replaced after longer delays.
 *   <li>Watches that the API refuses, as to a user who may only list, are replaced after delays
 *       that grow to half a minute: a list mends nothing then, and may be of a whole cluster.
 *   <li>A single object that does not exist is read again after that back-off, since there is no
 *       revision to watch from. If its watch has expired, all objects of its kind in its namespace
 *       are listed instead: that list has a revision to watch from.
 * </ul>
 *
 * <p>Everything happens on the event loop, the listener's methods included. After {@link #close}
 * the listener is not called any more, not even for the rest of a list or of a batch of events.
 */
public final class Reflector implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Reflector.class);
  private static final ExponentialBackoff RETRY =
      new ExponentialBackoff(Duration.ofSeconds(1), Duration.ofSeconds(4));

  private static final Duration LONGEST_DELAY = Duration.ofSeconds(30);
  private static final ExponentialBackoff RETRY_OF_REFUSED =
      new ExponentialBackoff(Duration.ofSeconds(1), LONGEST_DELAY);

  /** Receives the objects and their changes. */
  public interface Listener {
    /**
     * Reports that a list begins or restarts: objects listed since the last end do not count.
     *
     * @param revision the revision of the list; empty if a single object does not exist
     */
    void onListStart(String revision);

    /** Receives an object of the list. */
    void onListed(KubeObject object);

    /** Reports that the list is complete: objects that are not in it do not exist. */
    void onListEnd();

    /** Receives a change since the list. */
    void onEvent(WatchEvent event);

    /** Reports that the events that came together have been received. */
    default void onBatchEnd() {}

    /**
     * A list has failed.
     *
     * @param cause why; a {@link ClusterException} if the API refused it or could not be reached
     * @return true to retry; false to close the reflector
     */
    default boolean onListFailure(Throwable cause) {
      return true;
    }

    /**
     * A watch has broken, and not because it has expired.
     *
     * @return true to list again; false to close the reflector
     */
    default boolean onWatchFailure(ClusterException cause) {
      return true;
    }
  }

  /** The objects that a reflector follows. */
  private interface Scope {
    /**
     * Lists them in parts, as {@link Cluster#list} does; completes with an empty revision if there
     * is nothing to watch from.
     */
    CompletableFuture<String> list(Function<ObjectList, CompletableFuture<?>> each);

    /**
     * Does the same, with a revision that can be watched from though nothing has changed lately.
     */
    default CompletableFuture<String> listNewest(Function<ObjectList, CompletableFuture<?>> each) {
      return list(each);
    }

    Watch watch(String afterRevision, WatchHandler handler);

    boolean contains(KubeObject object);

    /** Returns the name of the objects for the log. */
    @Override
    String toString();
  }

  /** All objects of a kind, in one namespace or (null) in all. */
  private record KindScope(Cluster cluster, Kind kind, @Nullable String namespace)
      implements Scope {
    @Override
    public CompletableFuture<String> list(Function<ObjectList, CompletableFuture<?>> each) {
      return cluster.list(kind, namespace, each);
    }

    @Override
    public Watch watch(String afterRevision, WatchHandler handler) {
      return cluster.watch(kind, namespace, afterRevision, handler);
    }

    @Override
    public boolean contains(KubeObject object) {
      return true;
    }

    @Override
    public String toString() {
      return kind.plural();
    }
  }

  /** One object. Watches its whole namespace, as {@link Cluster} has no field selectors. */
  private record ObjectScope(Cluster cluster, ObjectRef ref) implements Scope {
    private static final ObjectList ABSENT = new ObjectList(List.of(), "");

    @Override
    public CompletableFuture<String> list(Function<ObjectList, CompletableFuture<?>> each) {
      return ClusterRequests.find(cluster, ref)
          .thenCompose(found -> {
            ObjectList list =
                found == null ? ABSENT : new ObjectList(List.of(found), found.resourceVersion());
            return each.apply(list).thenApply(_ -> list.resourceVersion());
          });
    }

    /**
     * The object's own revision is that of its last change, which may be long ago. Who may not list
     * reads it again and again.
     */
    @Override
    public CompletableFuture<String> listNewest(Function<ObjectList, CompletableFuture<?>> each) {
      return cluster
          .list(ref.kind(), namespace(), part -> each.apply(onlyOf(part)))
          .exceptionallyCompose(refused ->
              ClusterRequests.hasReason(refused, ClusterException.Reason.FORBIDDEN)
                  ? list(each)
                  : CompletableFuture.failedFuture(refused));
    }

    private ObjectList onlyOf(ObjectList part) {
      return new ObjectList(
          part.items().stream().filter(this::contains).toList(), part.resourceVersion());
    }

    @Override
    public Watch watch(String afterRevision, WatchHandler handler) {
      return cluster.watch(ref.kind(), namespace(), afterRevision, handler);
    }

    private @Nullable String namespace() {
      return ref.namespace().isEmpty() ? null : ref.namespace();
    }

    @Override
    public boolean contains(KubeObject object) {
      return object.name().equals(ref.name());
    }

    @Override
    public String toString() {
      return ref.toString();
    }
  }

  private final Scope scope;
  private final EventLoop loop;
  private final Listener listener;
  private @Nullable Session session;
  private int failures;

  /** The number of watches in a row that ended without an event, without those refused. */
  private int idleWatches;

  /** The number of watches in a row that the API has refused. */
  private int refusedWatches;

  /** True if the last watch expired before an event. */
  private boolean hasExpired;

  /** The last logged failure; null after a successful list. */
  private @Nullable String logged;

  /** The last logged failure of a watch; null after an event. */
  private @Nullable String loggedOfWatch;

  private boolean closed;

  /**
   * Creates a reflector of all objects of a kind that has made no request yet.
   *
   * @param namespace null for all namespaces
   */
  public Reflector(
      Cluster cluster, Kind kind, @Nullable String namespace, EventLoop loop, Listener listener) {
    this(new KindScope(cluster, kind, namespace), loop, listener);
  }

  private Reflector(Scope scope, EventLoop loop, Listener listener) {
    this.scope = scope;
    this.loop = loop;
    this.listener = listener;
  }

  /** Creates a reflector of one object that has made no request yet. */
  public static Reflector ofObject(
      Cluster cluster, ObjectRef object, EventLoop loop, Listener listener) {
    return new Reflector(new ObjectScope(cluster, object), loop, listener);
  }

  /** Lists the objects now. May be called again. */
  public void start() {
    if (closed) {
      return;
    }
    endSession();
    Session next = new Session();
    session = next;
    Function<ObjectList, CompletableFuture<?>> each =
        part -> CompletableFuture.runAsync(() -> next.take(part), loop);
    (hasExpired ? scope.listNewest(each) : scope.list(each))
        .whenCompleteAsync(next::onListed, loop);
  }

  /** Stops; the listener is not called any more. */
  @Override
  public void close() {
    closed = true;
    endSession();
  }

  private void endSession() {
    Session last = session;
    session = null;
    if (last != null && last.watch != null) {
      last.watch.close();
    }
  }

  /** One list and the watch that follows it. */
  private final class Session implements WatchHandler {
    private @Nullable String revision;
    private @Nullable Watch watch;
    private Instant watched = Instant.MIN;

    private boolean isCurrent() {
      return session == this;
    }

    void take(ObjectList part) {
      if (!isCurrent()) {
        return;
      }
      if (!part.resourceVersion().equals(revision)) {
        revision = part.resourceVersion();
        listener.onListStart(revision);
      }
      for (KubeObject object : part.items()) {
        if (isCurrent()) {
          listener.onListed(object);
        }
      }
    }

    void onListed(@Nullable String complete, @Nullable Throwable failure) {
      if (!isCurrent()) {
        return;
      }
      if (complete == null) {
        onFailure(failure == null ? null : ClusterException.causeOf(failure));
        return;
      }
      if (logged != null) {
        logged = null;
        LOG.info("Reading {} works again", scope);
      }
      try {
        listener.onListEnd();
        if (complete.isEmpty()) {
          startAgainAfter(RETRY.jittered(++idleWatches, loop.random()));
        } else {
          follow(complete);
        }
        failures = 0;
      } catch (RuntimeException fault) {
        Duration delay = RETRY.jittered(++failures, loop.random());
        LOG.error("Internal error after reading {}; reading again in {}", scope, delay, fault);
        startAgainAfter(delay);
      }
    }

    private void follow(String complete) {
      if (isCurrent()) {
        watched = loop.steadyNow();
        Watch opened = scope.watch(complete, this);
        watch = opened;
        if (!isCurrent()) {
          opened.close();
        }
      }
    }

    private void onFailure(@Nullable Throwable cause) {
      Throwable why = cause == null ? new IllegalStateException("the API gave no answer") : cause;
      Duration asked = why instanceof ClusterException refusal ? refusal.retryAfter() : null;
      Duration delay = RetryAfter.atLeast(RETRY.jittered(++failures, loop.random()), asked);
      startAgainAfter(delay);
      if (listener.onListFailure(why)) {
        log(why, delay);
      } else {
        close();
      }
    }

    private void startAgainAfter(Duration delay) {
      loop.after(
          delay,
          () -> {
            if (isCurrent()) {
              start();
            }
          });
    }

    @Override
    public void onEvent(WatchEvent event) {
      onEvents(List.of(event));
    }

    @Override
    public void onEvents(List<WatchEvent> batch) {
      loop.execute(() -> handle(batch));
    }

    private void handle(List<WatchEvent> batch) {
      for (WatchEvent event : batch) {
        if (isCurrent() && scope.contains(event.object())) {
          onWatchWorks();
          listener.onEvent(event);
        }
      }
      if (isCurrent()) {
        listener.onBatchEnd();
      }
    }

    private void onWatchWorks() {
      idleWatches = 0;
      refusedWatches = 0;
      if (loggedOfWatch != null) {
        loggedOfWatch = null;
        LOG.info("Watching {} works again", scope);
      }
    }

    @Override
    public void onClosed(@Nullable ClusterException cause) {
      loop.execute(() -> {
        if (isCurrent()) {
          replaceWatch(cause);
        }
      });
    }

    /** Watches that end one after the other without an event are replaced later and later. */
    private void replaceWatch(@Nullable ClusterException cause) {
      boolean expired = cause != null && cause.reason() == ClusterException.Reason.GONE;
      boolean refused = cause != null && !expired && !cause.isTransient();
      boolean lasted =
          loop.steadyNow().isAfter(watched.plus(LONGEST_DELAY)); // Once it was allowed.
      refusedWatches = (refused ? 1 : 0) + (refused && !lasted ? refusedWatches : 0);
      idleWatches += refused ? 0 : 1;
      hasExpired = expired;
      if (cause != null && !expired && !listener.onWatchFailure(cause)) {
        close();
      } else if (expired && idleWatches == 1) {
        start();
      } else {
        Duration delay =
            refused
                ? RETRY_OF_REFUSED.jittered(refusedWatches, loop.random())
                : RETRY.jittered(idleWatches, loop.random());
        if (cause != null) {
          logWatch(cause, delay);
        }
        startAgainAfter(delay);
      }
    }
  }

  private void logWatch(ClusterException cause, Duration delay) {
    String why = String.valueOf(cause.getMessage());
    if (why.equals(loggedOfWatch)) {
      LOG.debug("The watch of {} broke again; reading again in {}: {}", scope, delay, why);
    } else {
      LOG.warn("The watch of {} broke; reading again in {}: {}", scope, delay, why);
    }
    loggedOfWatch = why;
  }

  private void log(Throwable cause, Duration delay) {
    String why = String.valueOf(cause.getMessage());
    if (why.equals(logged)) {
      LOG.debug("Cannot read {}; retrying in {}: {}", scope, delay, why);
    } else if (cause instanceof ClusterException) {
      LOG.warn("Cannot read {}; retrying in {}: {}", scope, delay, why);
    } else {
      LOG.error("Cannot read {}; retrying in {}", scope, delay, cause);
    }
    logged = why;
  }
}
