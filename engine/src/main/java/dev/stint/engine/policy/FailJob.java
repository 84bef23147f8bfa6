package dev.stint.engine.policy;

import java.util.Optional;

/**
 * A pod failure policy rule with action {@code FailJob} (KEP-3329): one matching pod fails the Job.
 */
public final class FailJob {
  public static final String REASON = "PodFailurePolicy";

  private FailJob() {}

  static Optional<Verdict.Interim> evaluate(JobSituation situation) {
    String match = situation.failJobMatch();
    return match == null ? Optional.empty() : Verdict.failure(REASON, match);
  }
}
