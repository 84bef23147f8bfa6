package dev.stint.engine.policy;

import dev.stint.model.Json;
import java.util.Optional;

/**
 * Backoff limit: more failed pods than {@code spec.backoffLimit} fail the Job. Where containers
 * restart inside their pods (restart policy OnFailure), their restarts count too.
 */
public final class BackoffLimit {
  public static final String REASON = "BackoffLimitExceeded";

  private BackoffLimit() {}

  public static Optional<Verdict.Interim> evaluate(Situation situation) {
    int limit = situation.spec().backoffLimit();
    return situation.failed() > limit || restartedTooOften(situation, limit)
        ? Verdict.failure(REASON, "Job has reached the specified backoff limit")
        : Optional.empty();
  }

  private static boolean restartedTooOften(Situation situation, int limit) {
    String restartPolicy =
        Json.text(Json.objectAt(situation.spec().template(), "spec"), "restartPolicy");
    return "OnFailure".equals(restartPolicy)
        && situation.restarts() > 0
        && situation.restarts() >= limit;
  }
}
