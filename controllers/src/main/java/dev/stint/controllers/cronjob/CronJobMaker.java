package dev.stint.controllers.cronjob;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Makes the Jobs of a CronJob from its template. */
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
    ObjectNode template = Json.objectAt(cronJob.spec(), "jobTemplate");
    ObjectNode job = Json.object();
    job.put("apiVersion", Kind.JOB.apiVersion()).put("kind", Kind.JOB.kind());
    ObjectNode metadata = job.putObject("metadata");
    ObjectNode given = Json.objectAt(template, "metadata");
    copy(given, "labels", metadata);
    copy(given, "annotations", metadata);
    metadata
        .withObjectProperty("annotations")
        .put(
            OwnedJob.SCHEDULED,
            DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(
                due.truncatedTo(ChronoUnit.SECONDS).atZone(zone)));
    metadata.put("name", name(cronJob, due)).put("namespace", cronJob.namespace());
    metadata
        .putArray("ownerReferences")
        .addObject()
        .put("apiVersion", Kind.CRON_JOB.apiVersion())
        .put("kind", Kind.CRON_JOB.kind())
        .put("name", cronJob.name())
        .put("uid", cronJob.uid())
        .put("controller", true)
        .put("blockOwnerDeletion", true);
    copy(template, "spec", job);
    return KubeObject.of(job);
  }

  private static void copy(@Nullable ObjectNode from, String member, ObjectNode to) {
    ObjectNode found = Json.objectAt(from, member);
    if (found != null) {
      to.set(member, found.deepCopy());
    }
  }
}
