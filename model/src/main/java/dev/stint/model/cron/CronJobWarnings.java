package dev.stint.model.cron;

import dev.stint.model.field.FieldPath;
import dev.stint.model.job.JobWarnings;
import java.util.ArrayList;
import java.util.List;

/** Warnings about valid CronJobs, in Kubernetes' words. */
public final class CronJobWarnings {
  private CronJobWarnings() {}

  /** Returns the warnings about a new CronJob. */
  public static List<String> create(FieldPath cronJob) {
    List<String> warnings = new ArrayList<>(JobWarnings.name(cronJob));
    warnings.addAll(update(cronJob));
    return warnings;
  }

  /** Returns the warnings about a changed CronJob: all but the one about its name. */
  public static List<String> update(FieldPath cronJob) {
    List<String> warnings =
        new ArrayList<>(JobWarnings.spec(cronJob.get("spec", "jobTemplate", "spec")));
    if (cronJob.get("spec", "schedule").text().contains("TZ")) {
      // Kubernetes spells the field like this.
      warnings.add(
          "CRON_TZ or TZ used in spec.spec.schedule is not officially supported, see"
              + " https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more"
              + " details");
    }
    return warnings;
  }
}
