package dev.stint.engine.policy;

import dev.stint.model.Json;
import java.util.Optional;

/**
 * Backoff limit: more failed pods than {@code spec.backoffLimit} fail the Job. If containers
 * restart inside their pods (restart policy OnFailure), their restarts count too.
 */
public final class BackoffLimit {
  public static final String REASON = "BackoffLimitExceeded";

  private BackoffLimit() {}

  static Optional<Verdict.Interim> evaluate(PolicyInput situation) {
    return isExceededByPods(situation)
            || isExceededByRestarts(situation, situation.spec().backoffLimit())
        ? Verdict.failure(REASON, "Job has reached the specified backoff limit")
        : Optional.empty();
  }

  /** True if failed pods alone exceed the limit, which stays so once they are counted. */
  public static boolean isExceededByPods(PolicyInput situation) {
    return situation.failed() > situation.spec().backoffLimit();
  }

  private static boolean isExceededByRestarts(PolicyInput situation, int limit) {
    String restartPolicy =
        Json.text(Json.objectAt(situation.spec().template(), "spec"), "restartPolicy");
    return "OnFailure".equals(restartPolicy)
        && situation.restarts() > 0
        && situation.restarts() >= limit;
  }
}
