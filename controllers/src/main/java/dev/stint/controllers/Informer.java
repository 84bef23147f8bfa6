package dev.stint.controllers;

import dev.stint.cluster.AskedDelay;
import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ObjectList;
import dev.stint.cluster.Timers;
import dev.stint.cluster.Watch;
import dev.stint.cluster.WatchEvent;
import dev.stint.cluster.WatchHandler;
import dev.stint.engine.policy.Backoff;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows all objects of one kind: lists them, watches from there, and lists again where the watch
 * fell behind.
 *
 * <p>Everything happens on the owner's executor. The owner hears of each object in the order of its
 * changes, and never of an older state after a newer one.
 */
final class Informer {
  private static final Logger LOG = LoggerFactory.getLogger(Informer.class);
  private static final Backoff RETRY = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(4));

  /** What the owner does with what it hears. */
  interface Listener {
    /** The object is there, as of now. */
    void put(KubeObject object);

    /**
     * An object is gone.
     *
     * @param controller the uid of its controller; empty where it had none
     */
    void gone(String uid, String controller);

    /**
     * An object that is there has another controller than before; {@link #put} follows.
     *
     * @param former the uid of the one that it had
     */
    default void moved(String uid, String former) {}

    /** Everything that the API held when it was listed has been put. Called after every listing. */
    void listed();
  }

  private final Cluster cluster;
  private final Kind kind;
  private final Executor loop;
  private final Timers timers;
  private final Listener listener;

  /**
   * What is known of an object that is there: its controller's uid, or "", and its newest state.
   */
  private record Known(String controller, long revision) {}

  private final Map<String, Known> known = new HashMap<>();

  /** While a list comes in: the uids of what has come so far. */
  private @Nullable Set<String> listing;

  private long position;
  private int failures;

  /** Why it could not be listed, as the log has it already; null where it could. */
  private @Nullable String told;

  private @Nullable Watch watch;
  private boolean closed;

  Informer(Cluster cluster, Kind kind, Executor loop, Timers timers, Listener listener) {
    this.cluster = cluster;
    this.kind = kind;
    this.loop = loop;
    this.timers = timers;
    this.listener = listener;
  }

  void start() {
    Set<String> seen = new HashSet<>();
    listing = seen;
    String[] revision = {""};
    cluster
        .list(
            kind, null, part -> CompletableFuture.runAsync(() -> take(part, seen, revision), loop))
        .whenCompleteAsync(this::listed, loop);
  }

  private void startAgain() {
    if (!closed) {
      start();
    }
  }

  void close() {
    closed = true;
    if (watch != null) {
      watch.close();
    }
  }

  /**
   * Takes note of an object that a write of the owner's returned, unless it is old news: of a
   * revision up to which the owner has heard everything. A later one will be heard of, but may be
   * taken note of at once.
   */
  boolean isNews(KubeObject written) {
    boolean heard = listing == null || listing.contains(written.uid());
    if (revision(written.resourceVersion()) <= position && heard) {
      return false;
    }
    know(written, written.uid());
    return true;
  }

  /** Whether this is the newest state that is known of an object, which is there. */
  boolean isCurrent(KubeObject object) {
    Known newest = known.get(object.uid());
    return newest != null && newest.revision() == revision(object.resourceVersion());
  }

  private void know(KubeObject object, String uid) {
    String controller = Objects.requireNonNullElse(object.controllerUid(), "");
    known.put(uid, new Known(controller, revision(object.resourceVersion())));
  }

  /**
   * @param revision that of the part before; another one is that of a list which began anew
   */
  private void take(ObjectList part, Set<String> seen, String[] revision) {
    if (closed || seen != listing) {
      return;
    }
    if (!part.resourceVersion().equals(revision[0])) {
      revision[0] = part.resourceVersion();
      position = revision(part.resourceVersion());
      seen.clear();
    }
    for (KubeObject object : part.items()) {
      String uid = object.uid();
      seen.add(uid);
      put(object, uid);
    }
  }

  private void listed(@Nullable String revision, @Nullable Throwable failure) {
    if (closed) {
      return;
    }
    if (revision == null) {
      notListed(failure);
      return;
    }
    failures = 0;
    if (told != null) {
      told = null;
      LOG.info("{} are listed again", kind.plural());
    }
    Set<String> seen = Objects.requireNonNull(listing);
    listing = null;
    // What the owner wrote after the list was taken is not in it, and yet there.
    List.copyOf(known.keySet()).stream()
        .filter(uid -> !seen.contains(uid) && knownBefore(uid, position))
        .forEach(this::forget);
    listener.listed();
    watch = cluster.watch(kind, null, revision, new Handler());
  }

  private void notListed(@Nullable Throwable failure) {
    Throwable cause = failure == null ? null : ClusterException.causeOf(failure);
    String why = cause == null ? "no answer" : String.valueOf(cause.getMessage());
    Duration asked = cause instanceof ClusterException refusal ? refusal.retryAfter() : null;
    Duration delay = AskedDelay.atLeast(RETRY.delay(++failures), asked);
    if (why.equals(told)) {
      LOG.debug("cannot list {}, trying again in {}: {}", kind.plural(), delay, why);
    } else if (cause instanceof ClusterException) {
      LOG.warn("cannot list {}, trying again in {}: {}", kind.plural(), delay, why);
    } else {
      LOG.error("cannot list {}, trying again in {}", kind.plural(), delay, cause);
    }
    told = why;
    timers.after(delay, () -> loop.execute(this::startAgain));
  }

  private void handle(WatchEvent event) {
    if (closed) {
      return;
    }
    position = revision(event.object().resourceVersion());
    if (event.type() == WatchEvent.Type.DELETED) {
      forget(event.object().uid());
    } else {
      put(event.object(), event.object().uid());
    }
  }

  /** One object that the owner can't take must not keep it from hearing of the others. */
  private void put(KubeObject object, String uid) {
    Known before = known.get(uid);
    if (before == null || before.revision() <= revision(object.resourceVersion())) {
      know(object, uid);
    }
    try {
      if (before != null
          && !before.controller().isEmpty()
          && !before.controller().equals(object.controllerUid())) {
        listener.moved(uid, before.controller());
      }
      listener.put(object);
    } catch (RuntimeException fault) {
      LOG.error("{} can't be taken note of, and is left as it is", object, fault);
    }
  }

  private boolean knownBefore(String uid, long revision) {
    Known object = known.get(uid);
    return object != null && object.revision() <= revision;
  }

  private void forget(String uid) {
    Known object = known.remove(uid);
    listener.gone(uid, object == null ? "" : object.controller());
  }

  /**
   * Whether one state of an object is later than another: what the owner wrote itself may run ahead
   * of the watch.
   */
  static boolean isNewer(String resourceVersion, String than) {
    return revision(resourceVersion) > revision(than);
  }

  private static long revision(String resourceVersion) {
    return Long.parseLong(resourceVersion);
  }

  private final class Handler implements WatchHandler {
    @Override
    public void event(WatchEvent event) {
      loop.execute(() -> handle(event));
    }

    @Override
    public void events(List<WatchEvent> batch) {
      loop.execute(() -> batch.forEach(Informer.this::handle));
    }

    @Override
    public void closed(@Nullable ClusterException cause) {
      boolean gone = cause != null && cause.reason() == ClusterException.Reason.GONE;
      if (cause != null && !gone) {
        LOG.warn("cannot watch {}, listing them again: {}", kind.plural(), cause.getMessage());
      }
      if (gone) {
        loop.execute(Informer.this::startAgain);
      } else {
        timers.after(RETRY.base(), () -> loop.execute(Informer.this::startAgain));
      }
    }
  }
}
