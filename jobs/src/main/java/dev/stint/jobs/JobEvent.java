package dev.stint.jobs;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Timestamps;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * An event about a Job.
 *
 * @param at the last time that it happened; null if unknown
 * @param count the number of times that it happened
 */
public record JobEvent(
    @Nullable Instant at, boolean warning, String reason, String message, int count) {
  /** Orders events from the first to the last. */
  public static final Comparator<JobEvent> IN_ORDER =
      Comparator.comparing((JobEvent event) -> Objects.requireNonNullElse(event.at(), Instant.MIN));

  /** Returns the last events of a Job, in order. */
  public static List<JobEvent> last(int most, KubeObject job, List<KubeObject> events) {
    List<JobEvent> ordered = of(job, events);
    return ordered.subList(Math.max(0, ordered.size() - most), ordered.size());
  }

  /** Returns the events of a Job, in order. */
  public static List<JobEvent> of(KubeObject job, List<KubeObject> events) {
    return events.stream()
        .filter(event -> job.uid().equals(about(event)))
        .map(JobEvent::of)
        .sorted(IN_ORDER)
        .toList();
  }

  /** Returns the uid of the object that an event is about; null if the event does not name it. */
  public static @Nullable String about(KubeObject event) {
    return Json.text(Json.objectAt(event.tree(), "involvedObject"), "uid");
  }

  /** Reads an event. */
  public static JobEvent of(KubeObject event) {
    Integer count = Json.integer(event.tree(), "count");
    Instant last = Timestamps.parse(Json.text(event.tree(), "lastTimestamp"));
    return new JobEvent(
        last == null ? event.creationTimestamp() : last,
        "Warning".equals(Json.text(event.tree(), "type")),
        Objects.requireNonNullElse(Json.text(event.tree(), "reason"), ""),
        Objects.requireNonNullElse(Json.text(event.tree(), "message"), ""),
        count == null ? 1 : count);
  }

  /** Returns the event as JSON. */
  public ObjectNode json() {
    ObjectNode tree = Json.object();
    if (at != null) {
      tree.put("at", Timestamps.format(at));
    }
    tree.put("type", warning ? "Warning" : "Normal").put("reason", reason);
    return tree.put("message", message).put("count", count);
  }
}
