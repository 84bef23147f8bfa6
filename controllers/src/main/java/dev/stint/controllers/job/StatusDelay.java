package dev.stint.controllers.job;

import dev.stint.engine.Plan;
import dev.stint.model.job.JobStatus;
import java.time.Instant;
import java.util.Objects;

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
      forgetWait(work);
    }
    Instant due = due(work, plan, now);
    return now.isBefore(due) && !work.deleted ? plan.untilStatus(due) : plan;
  }

  /** Records that a plan was carried out. */
  void onDone(JobWork work, Plan plan) {
    if (plan.status() != null) {
      forgetWait(work);
    }
  }

  /** Forgets the wait: the next change begins a new one. */
  private static void forgetWait(JobWork work) {
    work.deferredUntil = null;
    work.batchBegan = null;
  }

  private Instant due(JobWork work, Plan plan, Instant now) {
    JobStatus status = plan.status();
    if (status == null) {
      return Instant.MIN;
    }
    return switch (plan.urgency()) {
      case NOW -> Instant.MIN;
      case LATER ->
          work.deferredUntil =
              Objects.requireNonNullElseGet(
                  work.deferredUntil, () -> now.plus(options.syncBatchPeriod()));
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
    work.batchBegan = Objects.requireNonNullElse(work.batchBegan, now);
    int finished = plan.untrack().size();
    Integer completions = work.view().spec().completions();
    int remaining =
        completions == null ? status.active() : completions - work.status().succeeded() - finished;
    return new StatusBatch(finished, remaining, work.batchBegan);
  }
}
