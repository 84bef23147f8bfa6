package dev.stint.controllers.mirror;

import dev.stint.model.job.JobCondition;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * How much a worker's conditions may take in the manager's Job, so that nobody on a worker fills
 * the manager's store: the API limits neither their number nor their length.
 */
final class ConditionLimits {
  private static final int LONGEST_TYPE = 316;
  private static final int LONGEST_REASON = 1024;
  private static final int LONGEST_MESSAGE = 4 * 1024;

  /** The largest number of conditions that are not the Job controller's own. */
  private static final int MOST_OTHERS = 8;

  private static final Set<String> OWN =
      Set.of(
          JobCondition.COMPLETE,
          JobCondition.FAILED,
          JobCondition.SUSPENDED,
          JobCondition.SUCCESS_CRITERIA_MET,
          JobCondition.FAILURE_TARGET,
          JobCondition.LINGERING_ENDED,
          JobCondition.LEGACY_TRACKING);

  private ConditionLimits() {}

  /** Returns the conditions within the limits: the first one of each type, others last. */
  static List<JobCondition> limited(List<JobCondition> conditions) {
    Set<String> types = new HashSet<>();
    List<JobCondition> first = conditions.stream().filter(each -> types.add(each.type())).toList();
    return Stream.concat(
            first.stream().filter(each -> OWN.contains(each.type())),
            first.stream().filter(ConditionLimits::isOther).limit(MOST_OTHERS))
        .map(ConditionLimits::limited)
        .toList();
  }

  private static boolean isOther(JobCondition condition) {
    return !OWN.contains(condition.type()) && condition.type().length() <= LONGEST_TYPE;
  }

  /** Returns a condition whose reason and message are cut to their limits. */
  static JobCondition limited(JobCondition condition) {
    return condition.with(
        cut(condition.reason(), LONGEST_REASON), cut(condition.message(), LONGEST_MESSAGE));
  }

  private static String cut(String text, int length) {
    if (text.length() <= length) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(length - 2)) ? length - 2 : length - 1;
    return text.substring(0, end) + "…";
  }
}
