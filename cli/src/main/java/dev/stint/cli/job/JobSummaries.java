package dev.stint.cli.job;

import dev.stint.cli.location.JobsTarget;
import dev.stint.cli.plane.ActiveRuntimeFile;
import dev.stint.jobs.JobSummary;
import dev.stint.model.KubeObject;
import java.time.Instant;

/** Jobs at a glance. A Job that no controller works on is interrupted, not running. */
final class JobSummaries {
  private JobSummaries() {}

  static JobSummary of(JobsTarget target, KubeObject job, Instant now) {
    JobSummary summary = JobSummary.of(job, now);
    if (target.isWorkedOn(job)) {
      return summary;
    }
    return summary.withoutController(
        target.idleData().filter(data -> !ActiveRuntimeFile.mayHavePods(data)).isPresent());
  }
}
