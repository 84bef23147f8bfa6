package dev.stint.kube;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.RetryAfter;
import dev.stint.cluster.Timers;
import dev.stint.cluster.Watch;
import dev.stint.cluster.WatchEvent;
import dev.stint.cluster.WatchHandler;
import dev.stint.kube.WatchConnection.End;
import dev.stint.model.ExponentialBackoff;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A watch over a series of connections (Kubernetes API Concepts, Efficient detection of changes):
 * the API ends each after some minutes, networks break them, and each new one resumes at the last
 * event or bookmark. The watch ends if the API reports that it cannot be resumed.
 *
 * <p>One virtual thread of the watch's own reads the connections, and calls the handler.
 */
final class KubeWatch implements Watch, WatchConnection.Receiver {
  private static final Logger LOG = LoggerFactory.getLogger(KubeWatch.class);

  /** The time for which the API is asked to keep a connection. */
  private static final Duration CONNECTION = Duration.ofMinutes(5);

  /** The time after which a connection is dead if the API has not ended it. */
  static final Duration DATA_TIMEOUT = CONNECTION.plusSeconds(30);

  /** The back-off of at most four seconds: watches resume within seconds of the API's return. */
  private static final ExponentialBackoff RETRY =
      new ExponentialBackoff(Duration.ofSeconds(1), Duration.ofSeconds(4));

  private final RestClient rest;
  private final Timers timers;
  private final Kind kind;
  private final String path;
  private final WatchHandler handler;
  private String revision;
  private int failures;

  /** True if the current connection has reported anything. */
  private boolean hasProgress;

  /** Ends what the watch's thread waits for. */
  private volatile Runnable wake = () -> {};

  private volatile boolean closed;

  KubeWatch(
      RestClient rest,
      Timers timers,
      Kind kind,
      @Nullable String namespace,
      String afterRevision,
      WatchHandler handler) {
    this.rest = rest;
    this.timers = timers;
    this.kind = kind;
    this.path = ResourcePath.collection(kind, namespace);
    this.revision = afterRevision;
    this.handler = handler;
  }

  void start() {
    Thread.ofVirtual().name("stint-kube-watch").start(this::run);
  }

  @Override
  public void close() {
    closed = true;
    wake.run();
  }

  private void run() {
    while (!closed) {
      if (rest.isClosed()) {
        endWith(null);
        return;
      }
      switch (connection()) {
        case End.Over _ -> reconnect(hasProgress ? 0 : 1, null);
        case End.Broken(String why, Duration retryAfter) -> {
          LOG.debug("Reconnecting the watch of {} after revision {}: {}", path, revision, why);
          reconnect(hasProgress ? 1 : failures + 1, retryAfter);
        }
        case End.Refused(ClusterException cause) -> endWith(cause);
      }
    }
  }

  /** Follows one connection to its end. */
  private End connection() {
    hasProgress = false;
    try (ApiStream stream = rest.watch(path + query())) {
      wakeBy(stream::close);
      Runnable cancelTimer = timers.after(DATA_TIMEOUT, stream::close);
      try {
        return new WatchConnection(rest, kind, path, this).follow(stream);
      } finally {
        cancelTimer.run();
      }
    } catch (RuntimeException | Error fault) {
      LOG.error("The watch of {} failed; reconnecting", path, fault);
      return new End.Broken(fault.toString(), null);
    }
  }

  private String query() {
    return "?watch=true&allowWatchBookmarks=true&timeoutSeconds=%d&resourceVersion=%s"
        .formatted(CONNECTION.toSeconds(), ResourcePath.encoded(revision));
  }

  /**
   * Reconnects after a delay that grows with each failure.
   *
   * @param retryAfter the delay that the API requests; null if it requests none
   */
  private void reconnect(int failed, @Nullable Duration retryAfter) {
    failures = failed;
    if (failures > 0 && !rest.isClosed()) {
      pause(RetryAfter.atLeast(RETRY.delay(failures), retryAfter));
    }
  }

  private void pause(Duration delay) {
    CountDownLatch over = new CountDownLatch(1);
    wakeBy(over::countDown);
    Runnable cancelTimer = timers.after(delay, over::countDown);
    try {
      over.await();
    } catch (InterruptedException nobodysIntention) {
      Thread.currentThread().interrupt();
    } finally {
      cancelTimer.run();
    }
  }

  private void wakeBy(Runnable end) {
    wake = end;
    if (closed) {
      end.run();
    }
  }

  private void endWith(@Nullable ClusterException cause) {
    if (!closed) {
      closed = true;
      handler.onClosed(cause);
    }
  }

  @Override
  public void onEvent(WatchEvent event) {
    advanceTo(event.object());
    if (!closed) {
      deliver(event);
    }
  }

  @Override
  public void onBookmark(KubeObject bookmark) {
    advanceTo(bookmark);
  }

  private void advanceTo(KubeObject seen) {
    hasProgress = true;
    if (!seen.resourceVersion().isEmpty()) {
      revision = seen.resourceVersion();
    }
  }

  private void deliver(WatchEvent event) {
    try {
      handler.onEvent(event);
    } catch (RuntimeException fault) {
      LOG.error(
          "A handler failed on {} of {}; continuing with the next event",
          event.type(),
          event.object(),
          fault);
    }
  }
}
