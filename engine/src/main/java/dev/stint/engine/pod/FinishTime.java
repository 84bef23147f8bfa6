package dev.stint.engine.pod;

import dev.stint.model.Json;
import dev.stint.model.Names;
import dev.stint.model.Timestamps;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The finish time of a pod (KEP-3850, Exponential backoff delay issue): the time at which its Job
 * ended it since it did not start or restarted too often, or the first known of the latest end of
 * its containers, the time at which it stopped being ready, the moment it was deleted, and its
 * creation. It is never "now", so a repeated decision does not move a retry into the future.
 */
final class FinishTime {
  private FinishTime() {}

  static Instant of(ObjectNode metadata, @Nullable ObjectNode status, Instant created) {
    Instant ended = transition(status, Names.STARTUP_DEADLINE_EXCEEDED, "True");
    if (ended == null) {
      ended = transition(status, Names.RESTART_LIMIT_EXCEEDED, "True");
    }
    if (ended == null) {
      ended = lastContainerEnd(status);
    }
    if (ended == null) {
      ended = transition(status, "Ready", "False");
    }
    if (ended == null) {
      ended = deleted(metadata);
    }
    return ended == null ? created : ended;
  }

  /** Returns null if a container has not ended. Sidecars, which are init containers, end last. */
  static @Nullable Instant lastContainerEnd(@Nullable ObjectNode status) {
    JsonNode containers = Json.arrayAt(status, "containerStatuses");
    if (containers == null || containers.isEmpty()) {
      return null;
    }
    Instant last = Instant.MIN;
    for (JsonNode container : containers) {
      Instant end = finishedAt(container);
      if (end == null) {
        return null;
      }
      last = later(last, end);
    }
    JsonNode before = Json.arrayAt(status, "initContainerStatuses");
    if (before != null) {
      for (JsonNode container : before) {
        last = later(last, finishedAt(container));
      }
    }
    return last;
  }

  private static @Nullable Instant finishedAt(JsonNode container) {
    ObjectNode terminated = Json.objectAt(Json.objectAt(container, "state"), "terminated");
    return Timestamps.parse(Json.text(terminated, "finishedAt"));
  }

  private static Instant later(Instant one, @Nullable Instant other) {
    return other != null && other.isAfter(one) ? other : one;
  }

  /** Returns when a condition got this value; null if it has another. */
  static @Nullable Instant transition(@Nullable ObjectNode status, String type, String value) {
    JsonNode conditions = Json.arrayAt(status, "conditions");
    if (conditions != null) {
      for (JsonNode condition : conditions) {
        if (type.equals(Json.text(condition, "type"))
            && value.equals(Json.text(condition, "status"))) {
          return Timestamps.parse(Json.text(condition, "lastTransitionTime"));
        }
      }
    }
    return null;
  }

  /** Returns when the deletion was asked for; null if it was not. */
  static @Nullable Instant deleted(ObjectNode metadata) {
    Instant deadline = Timestamps.parse(Json.text(metadata, "deletionTimestamp"));
    Long grace = Json.longInteger(metadata, "deletionGracePeriodSeconds");
    return deadline == null ? null : deadline.minusSeconds(grace == null ? 0 : grace);
  }
}
