package dev.stint.model.cron;

import dev.stint.model.job.JobDefaults;
import dev.stint.model.pod.Defaults;
import tools.jackson.databind.node.ObjectNode;

/**
 * The defaults of a CronJob in Kubernetes 1.36. Jobs get their defaults when they are created from
 * the template; only the pod template inside is filled in here.
 */
final class CronJobDefaults {
  private static final int SUCCESSFUL_JOBS = 3;
  private static final int FAILED_JOBS = 1;

  private CronJobDefaults() {}

  /** Fills in the whole CronJob; idempotent. */
  static void apply(ObjectNode cronJob) {
    ObjectNode spec = cronJob.withObjectProperty("spec");
    Defaults.text(spec, "concurrencyPolicy", "Allow");
    Defaults.bool(spec, "suspend", false);
    Defaults.integer(spec, "successfulJobsHistoryLimit", SUCCESSFUL_JOBS);
    Defaults.integer(spec, "failedJobsHistoryLimit", FAILED_JOBS);
    ObjectNode template = spec.withObjectProperty("jobTemplate");
    template.withObjectProperty("metadata");
    JobDefaults.applyToTemplateSpec(template.withObjectProperty("spec"));
    cronJob.withObjectProperty("status");
  }
}
