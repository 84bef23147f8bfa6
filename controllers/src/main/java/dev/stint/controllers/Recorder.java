package dev.stint.controllers;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.Times;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes events about objects. An object may have a burst of events and then one every few minutes
 * of each reason, so that a large Job does not drown the API in news of its pods. An event that
 * can't be written is dropped: events inform, nothing relies on them.
 */
final class Recorder {
  private static final Logger LOG = LoggerFactory.getLogger(Recorder.class);
  private static final int BURST = 25;
  private static final int MOST_NAMES = 5;

  /** How long after an event the same one is counted, not written anew. */
  private static final Duration SERIES = Duration.ofMinutes(10);

  private static final Duration REFILL = Duration.ofMinutes(5);

  private final Cluster cluster;
  private final InstantSource clock;
  private final String component;

  /** By uid, then by reason. */
  private final Map<String, Map<String, Bucket>> buckets = new HashMap<>();

  private long sequence;

  /** What an object was told for one reason: how much more of it, and what it was told last. */
  private static final class Bucket {
    private double tokens = BURST;
    private Instant since;

    /** Forgotten by whoever hears that it was not stored. */
    private volatile @Nullable Told last;

    Bucket(Instant now) {
      this.since = now;
    }

    boolean take(Instant now) {
      double refilled = Duration.between(since, now).toMillis() / (double) REFILL.toMillis();
      tokens = Math.min(BURST, tokens + refilled);
      since = now;
      if (tokens < 1) {
        return false;
      }
      tokens--;
      return true;
    }
  }

  /** An event that was written, and how often it has been true. */
  private record Told(ObjectRef event, String message, int times, Instant at) {}

  /**
   * @param clock used where events are told
   */
  Recorder(Cluster cluster, InstantSource clock, String component) {
    this.cluster = cluster;
    this.clock = clock;
    this.component = component;
  }

  /** Tells that something is true of the object now; once more, where it was told lately. */
  void event(KubeObject object, boolean warning, String reason, String message) {
    Instant now = clock.instant();
    Map<String, Bucket> ofObject = buckets.computeIfAbsent(object.uid(), _ -> new HashMap<>(4));
    Bucket bucket = ofObject.computeIfAbsent(reason, _ -> new Bucket(now));
    if (!bucket.take(now)) {
      return;
    }
    Told last = bucket.last;
    if (last != null && last.message().equals(message) && last.at().plus(SERIES).isAfter(now)) {
      Told again = new Told(last.event(), message, last.times() + 1, now);
      bucket.last = again;
      cluster
          .patch(last.event(), again(again))
          .exceptionally(failure -> dropped(object, reason, bucket, again, failure));
      return;
    }
    KubeObject event = KubeObject.of(tree(object, warning, reason, message, now));
    Told first = new Told(event.ref(), message, 1, now);
    bucket.last = first;
    cluster.create(event).exceptionally(failure -> dropped(object, reason, bucket, first, failure));
  }

  private static ObjectNode again(Told told) {
    return Json.object().put("count", told.times()).put("lastTimestamp", Times.format(told.at()));
  }

  /** Tells of several pods of a Job at once, by the names of the first few; nothing for none. */
  void pods(KubeObject job, String reason, String what, List<String> names) {
    if (names.isEmpty()) {
      return;
    }
    int shown = Math.min(names.size(), MOST_NAMES);
    String more = names.size() > shown ? " and " + (names.size() - shown) + " more" : "";
    String first = String.join(", ", names.subList(0, shown));
    event(job, false, reason, what + (names.size() == 1 ? ": " : "s: ") + first + more);
  }

  /** Forgets an object that is gone. */
  void forget(String uid) {
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
    event.putObject("source").put("component", component);
    event.put("firstTimestamp", Times.format(now)).put("lastTimestamp", Times.format(now));
    event.put("count", 1).put("reportingComponent", component).put("reportingInstance", "");
    return event;
  }

  private static KubeObject dropped(
      KubeObject object, String reason, Bucket bucket, Told told, Throwable failure) {
    if (bucket.last == told) {
      bucket.last = null;
    }
    String cause = ClusterException.causeOf(failure).getMessage();
    LOG.debug("event {} about {} dropped: {}", reason, object, cause);
    return object;
  }
}
