package dev.stint.controllers.gc;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Timestamps;
import dev.stint.model.job.JobCondition;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The time to live of a finished Job (Kubernetes documentation, Automatic Cleanup for Finished
 * Jobs).
 */
final class TimeToLive {
  private TimeToLive() {}

  /**
   * Returns the time at which a Job expires; null if it stays: it is not finished, has no limit, or
   * is being deleted already.
   */
  static @Nullable Instant expiry(KubeObject job) {
    Long seconds = Json.longInteger(job.spec(), "ttlSecondsAfterFinished");
    if (seconds == null || job.deletionTimestamp() != null) {
      return null;
    }
    Instant finished = finishTime(job);
    return finished == null ? null : finished.plusSeconds(seconds);
  }

  /** Returns the time at which a Job finished; null if it has not, or does not say when. */
  static @Nullable Instant finishTime(KubeObject job) {
    JsonNode conditions = Json.arrayAt(job.status(), "conditions");
    if (conditions == null) {
      return null;
    }
    for (JsonNode condition : conditions) {
      String type = Json.text(condition, "type");
      boolean terminal = JobCondition.COMPLETE.equals(type) || JobCondition.FAILED.equals(type);
      if (terminal && "True".equals(Json.text(condition, "status"))) {
        return Timestamps.parse(Json.text(condition, "lastTransitionTime"));
      }
    }
    return null;
  }
}
