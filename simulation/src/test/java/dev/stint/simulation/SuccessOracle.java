package dev.stint.simulation;

import static dev.stint.model.job.JobCondition.SUCCESS_CRITERIA_MET;

import dev.stint.model.KubeObject;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobSpec;
import dev.stint.model.job.JobStatus;
import dev.stint.model.job.SuccessPolicy;
import java.util.Objects;

/** A second implementation of the annotations about the success of a Job. */
final class SuccessOracle {
  private SuccessOracle() {}

  /** True if as many have succeeded as a sound annotation says, going by the status. */
  static boolean goalMet(KubeObject job, JobSpec spec, JobStatus status) {
    JobStatus.Uncounted lists =
        Objects.requireNonNullElse(status.uncounted(), JobStatus.Uncounted.NONE);
    int succeeded = status.succeeded() + (spec.isIndexed() ? 0 : lists.succeeded().size());
    Integer completions = spec.completions();
    int percent = percent(job);
    if (percent > 0 && completions != null && 100 * succeeded >= percent * completions) {
      return true;
    }
    return hasCount(job, spec) && succeeded >= Integer.parseInt(count(job));
  }

  /** True if the Job has a sound annotation with a goal. */
  static boolean hasGoal(KubeObject job, JobSpec spec) {
    return percent(job) > 0 && spec.completions() != null || hasCount(job, spec);
  }

  private static int percent(KubeObject job) {
    String text = Oracle.annotation(job, "success-percentage").replace("%", "");
    return text.isEmpty() ? 0 : Integer.parseInt(text);
  }

  private static String count(KubeObject job) {
    return Oracle.annotation(job, "success-count");
  }

  private static boolean hasCount(KubeObject job, JobSpec spec) {
    Integer completions = spec.completions();
    return !spec.isIndexed()
        && count(job).matches("\\d")
        && (completions == null || Integer.parseInt(count(job)) <= completions);
  }

  /** Returns the reason of the rule that is met first; that of the goal follows the rules'. */
  static String reason(KubeObject job, JobSpec spec, JobStatus status) {
    SuccessPolicy policy = spec.successPolicy();
    int rules = policy == null ? 0 : policy.rules().size();
    int met = 0;
    while (policy != null && met < rules && !StatusLaws.met(policy.rules().get(met), status)) {
      met++;
    }
    String[] own = Oracle.annotation(job, "success-reason").split(", ");
    boolean sound =
        !own[0].isEmpty()
            && !own[0].equals("enough")
            && own.length <= rules + (hasGoal(job, spec) ? 1 : 0);
    return sound && met < own.length ? own[met] : "SuccessPolicy";
  }

  /** True if failed indexes fail the Job only by their number. */
  static boolean allowsFailedIndexes(KubeObject job, JobSpec spec) {
    return Oracle.annotation(job, "complete-with-failed-indexes").equals("true")
        && spec.backoffLimitPerIndex() != null
        && spec.maxFailedIndexes() != null;
  }

  /** Returns the way of the pods that run when the Job succeeds early; "" if they are ended. */
  static String linger(KubeObject job, JobSpec spec) {
    String text = Oracle.annotation(job, "linger");
    boolean early = spec.successPolicy() != null || hasGoal(job, spec);
    boolean sound = text.equals("Continue") || text.startsWith("ContinueWith") && spec.isIndexed();
    return early && sound ? text : "";
  }

  /** True if the pods of a Job that has succeeded go on, as far as its status says. */
  static boolean lingers(KubeObject job, JobSpec spec, JobStatus status) {
    String reason = status.condition(SUCCESS_CRITERIA_MET).map(JobCondition::reason).orElse("");
    return status.isTrue(SUCCESS_CRITERIA_MET)
        && !status.isFinished()
        && !status.isTrue("stint.dev/LingeringEnded")
        && !linger(job, spec).isEmpty()
        && !reason.isEmpty()
        && !reason.equals("CompletionsReached")
        && !reason.equals("FailedIndexesAllowed");
  }
}
