package dev.stint.reconcile;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes events about objects. For each reason an object may have a burst of events, and then one
 * every few minutes, so that a large Job does not flood the API with its pods. A recorder may also
 * have a limit for all objects together. An event that cannot be written is dropped: nothing relies
 * on events.
 *
 * <p>Not thread-safe.
 */
public final class EventRecorder {
  private static final Logger LOG = LoggerFactory.getLogger(EventRecorder.class);
  private static final int BURST = 25;

  /** The time for which an equal event is counted, and not written again. */
  private static final Duration SERIES = Duration.ofMinutes(10);

  private static final Duration REFILL = Duration.ofMinutes(5);

  private final Cluster cluster;
  private final InstantSource clock;
  private final String component;
  private final String host;
  private final @Nullable Bucket all;

  /** The series of events, by uid and then by reason. */
  private final Map<String, Map<String, Series>> buckets = new HashMap<>();

  private long sequence;

  /** A token bucket for events: allows a burst, then one more after each refill time. */
  private static class Bucket {
    private final int most;
    private final Duration refill;
    private double tokens;
    private Instant since;

    Bucket(int most, Duration refill, Instant now) {
      this.most = most;
      this.refill = refill;
      this.tokens = most;
      this.since = now;
    }

    boolean take(Instant now) {
      double refilled = Duration.between(since, now).toMillis() / (double) refill.toMillis();
      tokens = Math.min(most, tokens + Math.max(0, refilled)); // A clock may be set back.
      since = now;
      if (tokens < 1) {
        return false;
      }
      tokens--;
      return true;
    }
  }

  /** The events about one object for one reason: their token bucket, and the last of them. */
  private static final class Series extends Bucket {
    /** The last event; cleared if it turns out that it was not stored. */
    private volatile @Nullable WrittenEvent last;

    Series(Instant now) {
      super(BURST, REFILL, now);
    }
  }

  /** A written event, and the number of its occurrences. */
  private record WrittenEvent(ObjectRef event, String message, int times, Instant at) {}

  /**
   * Creates a recorder without a limit for all objects together.
   *
   * @param clock called on the threads that record events
   */
  public EventRecorder(Cluster cluster, InstantSource clock, String component) {
    this.cluster = cluster;
    this.clock = clock;
    this.component = component;
    this.host = "";
    this.all = null;
  }

  /**
   * Creates a recorder for a component of one node.
   *
   * @param most the size of a burst of events
   * @param refill the time until one more event is allowed
   */
  public EventRecorder(
      Cluster cluster,
      InstantSource clock,
      String component,
      String host,
      int most,
      Duration refill) {
    this.cluster = cluster;
    this.clock = clock;
    this.component = component;
    this.host = host;
    this.all = new Bucket(most, refill, clock.instant());
  }

  /**
   * Records that something is true of the object now; counts a repetition if the same was recorded
   * recently.
   */
  public void event(KubeObject object, boolean warning, String reason, String message) {
    Instant now = clock.instant();
    Map<String, Series> ofObject = buckets.computeIfAbsent(object.uid(), _ -> new HashMap<>(4));
    Series bucket = ofObject.computeIfAbsent(reason, _ -> new Series(now));
    if (!bucket.take(now) || (all != null && !all.take(now))) {
      return;
    }
    WrittenEvent last = bucket.last;
    if (last != null && last.message().equals(message) && last.at().plus(SERIES).isAfter(now)) {
      WrittenEvent again = new WrittenEvent(last.event(), message, last.times() + 1, now);
      bucket.last = again;
      cluster
          .patch(last.event(), again(again))
          .exceptionally(failure -> dropped(object, reason, bucket, again, failure));
      return;
    }
    KubeObject event = KubeObject.of(tree(object, warning, reason, message, now));
    WrittenEvent first = new WrittenEvent(event.ref(), message, 1, now);
    bucket.last = first;
    cluster.create(event).exceptionally(failure -> dropped(object, reason, bucket, first, failure));
  }

  private static ObjectNode again(WrittenEvent written) {
    return Json.object()
        .put("count", written.times())
        .put("lastTimestamp", Timestamps.format(written.at()));
  }

  /** Forgets a deleted object. */
  public void forget(String uid) {
    buckets.remove(uid);
  }

  private ObjectNode tree(
      KubeObject object, boolean warning, String reason, String message, Instant now) {
    ObjectNode event = Json.object();
    event.put("apiVersion", Kind.EVENT.apiVersion()).put("kind", Kind.EVENT.kind());
    long stamp = now.getEpochSecond() * 1_000_000_000L + now.getNano() + sequence++;
    event
        .putObject("metadata")
        .put("name", object.name() + "." + Long.toHexString(stamp))
        .put("namespace", object.namespace());
    event
        .putObject("involvedObject")
        .put("apiVersion", object.apiVersion())
        .put("kind", object.kindName())
        .put("name", object.name())
        .put("namespace", object.namespace())
        .put("uid", object.uid())
        .put("resourceVersion", object.resourceVersion());
    event.put("reason", reason).put("message", message).put("type", warning ? "Warning" : "Normal");
    ObjectNode source = event.putObject("source").put("component", component);
    if (!host.isEmpty()) {
      source.put("host", host);
    }
    event
        .put("firstTimestamp", Timestamps.format(now))
        .put("lastTimestamp", Timestamps.format(now));
    event.put("count", 1).put("reportingComponent", component).put("reportingInstance", host);
    return event;
  }

  private static KubeObject dropped(
      KubeObject object, String reason, Series bucket, WrittenEvent written, Throwable failure) {
    if (bucket.last == written) {
      bucket.last = null;
    }
    String cause = ClusterException.causeOf(failure).getMessage();
    LOG.debug("Dropped event {} about {}: {}", reason, object, cause);
    return object;
  }
}
