package dev.stint.jobs;

import dev.stint.model.KubeObject;
import dev.stint.model.cron.CronJobTemplate;
import java.util.function.Predicate;
import tools.jackson.databind.node.ObjectNode;

/** A Job of a CronJob that a user asks for, besides those of its schedule. */
public final class ManualJob {
  /** The annotation by which clients of Kubernetes mark such a Job. */
  private static final String INSTANTIATE = "cronjob.kubernetes.io/instantiate";

  private ManualJob() {}

  /** Returns the document of such a Job, which belongs to its CronJob. */
  public static ObjectNode of(KubeObject cronJob, String name) {
    return CronJobTemplate.job(cronJob, name, INSTANTIATE, "manual");
  }

  /** Returns the first free name: {@code NAME-manual-1}, … */
  public static String name(KubeObject cronJob, Predicate<String> taken) {
    for (int i = 1; ; i++) {
      String name = cronJob.name() + "-manual-" + i;
      if (!taken.test(name)) {
        return name;
      }
    }
  }
}
