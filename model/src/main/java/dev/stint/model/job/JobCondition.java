package dev.stint.model.job;

import dev.stint.model.Json;
import dev.stint.model.Timestamps;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One entry of {@code status.conditions}.
 *
 * @param type such as {@link #COMPLETE}
 * @param status {@code True}, {@code False}, or {@code Unknown} in conditions of others
 * @param probe when it was last looked at; null if not given
 * @param transition when it last changed; null if not given
 */
public record JobCondition(
    String type,
    String status,
    String reason,
    String message,
    @Nullable Instant probe,
    @Nullable Instant transition) {
  /**
   * Interim: the Job has succeeded and its remaining pods are being stopped (KEP-3998, Job API).
   */
  public static final String SUCCESS_CRITERIA_MET = "SuccessCriteriaMet";

  /**
   * Interim: the Job has failed and its remaining pods are being stopped (KEP-4368, Terminating
   * pods).
   */
  public static final String FAILURE_TARGET = "FailureTarget";

  public static final String COMPLETE = "Complete";
  public static final String FAILED = "Failed";
  public static final String SUSPENDED = "Suspended";

  /** The pods of a Job that has succeeded no longer go on to their own end (decision 92). */
  public static final String LINGERING_ENDED = "stint.dev/LingeringEnded";

  /** Finished pods count while they exist, to the end of the Job (decision 10). */
  public static final String LEGACY_TRACKING = "stint.dev/LegacyTracking";

  /** Creates a condition that is True or False since a time, when it was also looked at. */
  public JobCondition(
      String type, boolean status, String reason, String message, @Nullable Instant transition) {
    this(type, status ? "True" : "False", reason, message, transition, transition);
  }

  public static JobCondition of(String type, String reason, String message, Instant now) {
    return new JobCondition(type, true, reason, message, now);
  }

  public boolean isTrue() {
    return status.equals("True");
  }

  /** Returns this condition with another reason and message. */
  public JobCondition with(String otherReason, String otherMessage) {
    return new JobCondition(type, status, otherReason, otherMessage, probe, transition);
  }

  static JobCondition read(JsonNode tree) {
    return new JobCondition(
        or(Json.text(tree, "type")),
        or(Json.text(tree, "status")),
        or(Json.text(tree, "reason")),
        or(Json.text(tree, "message")),
        Timestamps.parse(Json.text(tree, "lastProbeTime")),
        Timestamps.parse(Json.text(tree, "lastTransitionTime")));
  }

  ObjectNode write() {
    ObjectNode tree = Json.object();
    tree.put("type", type);
    tree.put("status", status);
    JobStatus.putTime(tree, "lastProbeTime", probe);
    JobStatus.putTime(tree, "lastTransitionTime", transition);
    if (!reason.isEmpty()) {
      tree.put("reason", reason);
    }
    if (!message.isEmpty()) {
      tree.put("message", message);
    }
    return tree;
  }

  private static String or(@Nullable String text) {
    return text == null ? "" : text;
  }
}
