package dev.stint.controllers.cronjob;

import dev.stint.model.Json;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The history limits of a CronJob: the number of finished Jobs that it keeps (Kubernetes
 * documentation, CronJob, Jobs history limits).
 */
final class JobHistory {
  private JobHistory() {}

  /**
   * Returns the finished Jobs above the limits, the oldest first.
   *
   * @param spec the CronJob's; an absent limit limits nothing
   */
  static List<OwnedJob> surplus(@Nullable ObjectNode spec, Collection<OwnedJob> jobs) {
    List<OwnedJob> surplus = new ArrayList<>();
    surplus.addAll(
        beyond(Json.integer(spec, "successfulJobsHistoryLimit"), jobs, OwnedJob.JobEnd.COMPLETE));
    surplus.addAll(
        beyond(Json.integer(spec, "failedJobsHistoryLimit"), jobs, OwnedJob.JobEnd.FAILED));
    return surplus;
  }

  private static List<OwnedJob> beyond(
      @Nullable Integer limit, Collection<OwnedJob> jobs, OwnedJob.JobEnd outcome) {
    if (limit == null) {
      return List.of();
    }
    List<OwnedJob> ended =
        jobs.stream()
            .filter(job -> job.outcome() == outcome && !job.deleting())
            .sorted(OwnedJob.OLDEST_FIRST)
            .toList();
    return ended.subList(0, Math.max(0, ended.size() - limit));
  }
}
