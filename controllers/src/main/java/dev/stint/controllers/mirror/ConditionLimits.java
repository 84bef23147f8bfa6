package dev.stint.controllers.mirror;

import dev.stint.model.job.JobCondition;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * How much a worker's conditions may take in the manager's Job, so that nobody on a worker fills
 * the manager's store. The limits of one condition are those of Kubernetes' {@code
 * metav1.Condition}, which the API does not check for Jobs.
 */
final class ConditionLimits {
  private static final int LONGEST_TYPE = 316;
  private static final int LONGEST_REASON = 1024;
  private static final int LONGEST_MESSAGE = 32 * 1024;

  /** The largest number of conditions that are not the Job controller's own. */
  private static final int MOST_OTHERS = 8;

  private static final Set<String> OWN =
      Set.of(
          JobCondition.COMPLETE,
          JobCondition.FAILED,
          JobCondition.SUSPENDED,
          JobCondition.SUCCESS_CRITERIA_MET,
          JobCondition.FAILURE_TARGET,
          JobCondition.LINGERING_ENDED);

  private ConditionLimits() {}

  /** Returns the conditions within the limits; those beyond them are left out. */
  static List<JobCondition> limited(List<JobCondition> conditions) {
    Set<String> others = new HashSet<>();
    return conditions.stream()
        .filter(each -> OWN.contains(each.type()) || mayHave(each, others))
        .map(ConditionLimits::limited)
        .toList();
  }

  private static boolean mayHave(JobCondition other, Set<String> others) {
    return other.type().length() <= LONGEST_TYPE
        && others.size() < MOST_OTHERS
        && others.add(other.type());
  }

  /** Returns a condition whose reason and message are cut to their limits. */
  static JobCondition limited(JobCondition condition) {
    return new JobCondition(
        condition.type(),
        condition.status(),
        cut(condition.reason(), LONGEST_REASON),
        cut(condition.message(), LONGEST_MESSAGE),
        condition.transition());
  }

  private static String cut(String text, int length) {
    if (text.length() <= length) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(length - 2)) ? length - 2 : length - 1;
    return text.substring(0, end) + "…";
  }
}
