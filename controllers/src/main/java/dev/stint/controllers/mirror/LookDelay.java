package dev.stint.controllers.mirror;

import dev.stint.model.KubeObject;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The delay before the next look at the pods that a copy has left. It grows with the time since the
 * outcome of the Job was announced: most pods end soon, and some never do.
 */
final class LookDelay {
  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofSeconds(10);

  /** The part of the time since the announcement: an end is seen that much later at most. */
  private static final int PART = 4;

  private LookDelay() {}

  static Duration of(KubeObject job, Instant now) {
    JobStatus status = JobStatus.read(job.status());
    Duration delay =
        Stream.of(JobCondition.FAILURE_TARGET, JobCondition.SUCCESS_CRITERIA_MET)
            .flatMap(type -> status.condition(type).filter(JobCondition::isTrue).stream())
            .map(JobCondition::transition)
            .filter(Objects::nonNull)
            .map(since -> Duration.between(since, now).dividedBy(PART))
            .findFirst()
            .orElse(SHORTEST);
    return within(delay);
  }

  private static Duration within(Duration delay) {
    if (delay.compareTo(SHORTEST) < 0) {
      return SHORTEST;
    }
    return delay.compareTo(LONGEST) < 0 ? delay : LONGEST;
  }
}
