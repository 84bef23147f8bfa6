package dev.stint.controllers.gc;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.EventLoop;
import dev.stint.cluster.ObjectList;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.Timestamps;
import dev.stint.reconcile.ClusterRequests;
import dev.stint.reconcile.Controller;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes events some time after their last occurrence, as Kubernetes' API server does ({@code
 * --event-ttl}). Nothing else deletes them.
 */
public final class EventExpiry implements Controller {
  private static final Logger LOG = LoggerFactory.getLogger(EventExpiry.class);

  /** The default of Kubernetes. */
  public static final Duration DEFAULT_TIME_TO_LIVE = Duration.ofHours(1);

  private static final Duration FIRST_LOOK = Duration.ofMinutes(1);
  private static final Duration SHORTEST_PERIOD = Duration.ofMinutes(1);

  /** Events may stay for this part of their time to live longer. */
  private static final int SHARE = 12;

  private static final int REQUESTS_AT_ONCE = 16;

  private final Cluster cluster;
  private final EventLoop loop;
  private final Duration timeToLive;
  private final Duration period;
  private boolean closed;

  /**
   * Creates an expiry that is not started yet.
   *
   * @param loop the event loop that runs all of its work
   * @param timeToLive the time for which an event is kept after its last occurrence
   */
  public EventExpiry(Cluster cluster, EventLoop loop, Duration timeToLive) {
    this.cluster = cluster;
    this.loop = loop;
    this.timeToLive = timeToLive;
    Duration share = timeToLive.dividedBy(SHARE);
    this.period = share.compareTo(SHORTEST_PERIOD) > 0 ? share : SHORTEST_PERIOD;
  }

  @Override
  public void start() {
    startRoundAfter(FIRST_LOOK);
  }

  @Override
  public void close() {
    loop.execute(() -> closed = true);
  }

  private void startRoundAfter(Duration delay) {
    loop.after(delay, this::startRound);
  }

  /** Starts one round. The next round retries failed deletions. */
  private void startRound() {
    if (closed) {
      return;
    }
    var _ =
        cluster
            .list(Kind.EVENT, null, this::deleteOld)
            .whenComplete((_, failure) -> {
              if (failure != null) {
                LOG.debug(
                    "Cannot delete old events; retrying later: {}",
                    ClusterException.causeOf(failure).getMessage());
              }
              startRoundAfter(period);
            });
  }

  /**
   * Deletes the old events of one part of the list. The next part is looked at in another task of
   * the loop, since events are parsed for it: there may be hundreds of thousands, and controllers
   * share the loop.
   */
  private CompletableFuture<@Nullable Void> deleteOld(ObjectList events) {
    Instant limit = loop.now().minus(timeToLive);
    List<KubeObject> old =
        events.items().stream().filter(event -> lastOccurrence(event).isBefore(limit)).toList();
    return ClusterRequests.each(
            old,
            REQUESTS_AT_ONCE,
            event ->
                ClusterRequests.unlessGone(
                    cluster.delete(event.ref(), DeleteOptions.now(event.uid()))))
        .thenApplyAsync(_ -> null, loop);
  }

  private static Instant lastOccurrence(KubeObject event) {
    Stream<@Nullable Instant> told =
        Stream.of(
                Json.text(event.tree(), "lastTimestamp"),
                Json.text(event.tree(), "eventTime"),
                Json.text(Json.objectAt(event.tree(), "series"), "lastObservedTime"))
            .filter(Objects::nonNull)
            .map(Timestamps::parse);
    return Stream.concat(told, Stream.of(event.creationTimestamp()))
        .filter(Objects::nonNull)
        .max(Instant::compareTo)
        .orElse(Instant.MAX);
  }
}
