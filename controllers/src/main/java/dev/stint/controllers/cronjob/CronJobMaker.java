package dev.stint.controllers.cronjob;

import dev.stint.model.KubeObject;
import dev.stint.model.cron.CronJobTemplate;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import tools.jackson.databind.node.ObjectNode;

/** Makes the Jobs of a CronJob for its due times. */
final class CronJobMaker {
  private static final int SECONDS_PER_MINUTE = 60;

  private CronJobMaker() {}

  /** Returns the name of the Job for a due time, which prevents a second start. */
  static String name(KubeObject cronJob, Instant due) {
    return cronJob.name() + "-" + due.getEpochSecond() / SECONDS_PER_MINUTE;
  }

  /**
   * @param zone the time zone of the Job's due time annotation
   */
  static KubeObject job(KubeObject cronJob, Instant due, ZoneId zone) {
    String scheduled =
        DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(
            due.truncatedTo(ChronoUnit.SECONDS).atZone(zone));
    ObjectNode job =
        CronJobTemplate.job(cronJob, name(cronJob, due), OwnedJob.SCHEDULED, scheduled);
    job.withObjectProperty("metadata")
        .withArrayProperty("ownerReferences")
        .valueStream()
        .forEach(owner -> ((ObjectNode) owner).put("blockOwnerDeletion", true));
    return KubeObject.of(job);
  }
}
