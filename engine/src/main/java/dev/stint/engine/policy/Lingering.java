package dev.stint.engine.policy;

import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobStatus;
import dev.stint.model.job.options.Linger;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Lingering (KEP-3998, Possibility for the lingering pods to continue running): if a Job's
 * annotation says so, the pods that run when its success policy is met go on to their own end. The
 * Job stays successful, whatever they do. A condition says that they are ended after all, since a
 * policy or a user asks for it: that holds from then on.
 */
public final class Lingering {
  /** The policies that end pods that are not replaced; their failures do not matter. */
  private static final List<Function<PolicyInput, Optional<Verdict.Interim>>> DEADLINE =
      List.of(ActiveDeadline::evaluate);

  private Lingering() {}

  /** True if the pods of a Job that has succeeded go on, unless {@link #end} says otherwise. */
  public static boolean applies(Verdict.Interim verdict, JobStatus stored, PolicyInput input) {
    return verdict.isSuccess()
        && !verdict.reason().isEmpty()
        && !verdict.reason().equals(Completions.REASON)
        && !verdict.reason().equals(FailedIndexesAllowed.REASON)
        && input.options().success().linger() != Linger.Terminate
        && !stored.isTrue(JobCondition.LINGERING_ENDED);
  }

  /** True if the pods that fail meanwhile are replaced. */
  public static boolean recreates(PolicyInput input) {
    return input.options().success().linger() == Linger.ContinueWithRecreations;
  }

  /**
   * Returns the condition that ends the pods: by a deadline, by suspension, or, if failed pods are
   * replaced, by a policy that would fail the Job otherwise; empty if they go on.
   */
  public static Optional<JobCondition> end(PolicyInput input) {
    if (input.spec().suspend()) {
      return Optional.of(condition(input, "JobSuspended", "Job is suspended"));
    }
    return (recreates(input) ? Verdict.FAILURES : DEADLINE)
        .stream()
            .flatMap(policy -> policy.apply(input).stream())
            .findFirst()
            .map(verdict -> condition(input, verdict.reason(), verdict.message()));
  }

  private static JobCondition condition(PolicyInput input, String reason, String message) {
    return JobCondition.of(JobCondition.LINGERING_ENDED, reason, message, input.now());
  }
}
