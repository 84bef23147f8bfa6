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

  static Optional<Verdict.Interim> evaluate(PolicyInput input) {
    return isExceededByPods(input) || isExceededByRestarts(input, input.spec().backoffLimit())
        ? Verdict.failure(REASON, "Job has reached the specified backoff limit")
        : Optional.empty();
  }

  /** True if failed pods alone exceed the limit, which stays so once they are counted. */
  public static boolean isExceededByPods(PolicyInput input) {
    return input.failed() > input.spec().backoffLimit();
  }

  private static boolean isExceededByRestarts(PolicyInput input, int limit) {
    String restartPolicy =
        Json.text(Json.objectAt(input.spec().template(), "spec"), "restartPolicy");
    return "OnFailure".equals(restartPolicy) && input.restarts() > 0 && input.restarts() >= limit;
  }
}
