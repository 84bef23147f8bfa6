package dev.stint.controllers.job;

import dev.stint.engine.Plan;
import dev.stint.model.job.JobStatus;
import java.time.Instant;

/**
 * The delay of a status that nobody waits for, so that one write counts several changes (decision
 * 99). It does not delay the creation of pods.
 *
 * @param cost the cost of a status write now
 */
record StatusDelay(JobControllerOptions options, WriteCost cost) {
  /** Returns the part of a plan to carry out now. */
  Plan apply(JobWork work, Plan plan, Instant now) {
    if (plan.isIdle()) {
      work.statusWait.end();
    }
    Instant due = due(work, plan, now);
    return now.isBefore(due) && !work.isDeleted() ? plan.untilStatus(due) : plan;
  }

  /** Records that a plan was carried out. */
  void onDone(JobWork work, Plan plan) {
    if (plan.status() != null) {
      work.statusWait.end();
    }
  }

  private Instant due(JobWork work, Plan plan, Instant now) {
    JobStatus status = plan.status();
    if (status == null) {
      return Instant.MIN;
    }
    return switch (plan.urgency()) {
      case NOW -> Instant.MIN;
      case LATER -> work.statusWait.defer(now, options.syncBatchPeriod());
      case COUNTS ->
          batch(work, plan, status, now)
              .due(
                  cost.now(),
                  options.longestStatusDelay(),
                  options.engine().maxUncountedPods(),
                  now);
    };
  }

  private static StatusBatch batch(JobWork work, Plan plan, JobStatus status, Instant now) {
    int finished = plan.untrack().size();
    Integer completions = work.view().spec().completions();
    int remaining =
        completions == null ? status.active() : completions - work.status().succeeded() - finished;
    return new StatusBatch(finished, remaining, work.statusWait.batch(now));
  }
}
