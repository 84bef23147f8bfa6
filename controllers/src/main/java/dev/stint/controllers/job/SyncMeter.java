package dev.stint.controllers.job;

import dev.stint.cluster.EventLoop;
import dev.stint.controllers.metrics.JobMetrics;
import dev.stint.controllers.metrics.JobMetrics.SyncAction;
import dev.stint.engine.Plan;
import java.time.Duration;
import java.time.Instant;

/** Measures one sync of a Job for the metrics. */
record SyncMeter(JobWork work, JobMetrics metrics, EventLoop loop, Instant start) {
  /** Returns a meter that starts now. */
  static SyncMeter start(JobWork work, JobMetrics metrics, EventLoop loop) {
    return new SyncMeter(work, metrics, loop, loop.now());
  }

  /** Records the end of a sync that carried out no plan. */
  void stop(boolean success) {
    stop(SyncAction.reconciling, success);
  }

  /** Records the end of a sync that carried out a plan. */
  void stop(Plan plan, boolean success) {
    stop(action(plan), success);
  }

  private void stop(SyncAction action, boolean success) {
    Duration took = Duration.between(start, loop.now());
    metrics.onSync(work.view().spec().isIndexed(), action, success, took);
  }

  private static SyncAction action(Plan plan) {
    if (!plan.create().isEmpty()) {
      return SyncAction.pods_created;
    }
    if (!plan.release().isEmpty()) {
      return SyncAction.pods_deleted;
    }
    return plan.untrack().isEmpty() ? SyncAction.reconciling : SyncAction.tracking;
  }
}
