package dev.stint.controllers.cronjob;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.Timestamps;
import dev.stint.model.cron.CronJobAdmission;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The mutable status of a CronJob during one sync. */
final class CronStatus {
  private final KubeObject cronJob;

  /** Active Jobs by uid, as references. */
  final Map<String, ObjectRef> active = new LinkedHashMap<>();

  @Nullable Instant lastSchedule;
  @Nullable Instant lastSuccess;
  @Nullable Instant nextSchedule;

  CronStatus(KubeObject cronJob) {
    this.cronJob = cronJob;
    ObjectNode status = cronJob.status();
    this.lastSchedule = Timestamps.parse(Json.text(status, "lastScheduleTime"));
    this.lastSuccess = Timestamps.parse(Json.text(status, "lastSuccessfulTime"));
    this.nextSchedule = Timestamps.parse(Json.text(status, CronJobAdmission.NEXT_SCHEDULE_TIME));
    ArrayNode references = Json.arrayAt(status, "active");
    if (references != null) {
      for (JsonNode reference : references) {
        String uid = Json.text(reference, "uid");
        String name = Json.text(reference, "name");
        if (uid != null && name != null) {
          active.put(uid, new ObjectRef(Kind.JOB, cronJob.namespace(), name));
        }
      }
    }
  }

  /** Records a Job that was started at its due time. */
  void recordStart(String uid, ObjectRef ref, @Nullable Instant scheduled) {
    active.put(uid, ref);
    lastSchedule = latest(lastSchedule, scheduled);
  }

  /**
   * Records what is known of a Job once it has ended: its success, and when it was due. A time to
   * come was recorded while the clock was wrong, and would delay all starts until then.
   */
  void recordEnd(OwnedJob job, Instant now) {
    lastSuccess = latest(lastSuccess, job.completed());
    Instant scheduled = job.scheduled();
    if (job.isFinished() && scheduled != null && !scheduled.isAfter(now)) {
      lastSchedule = latest(lastSchedule, scheduled);
    }
  }

  /** Returns the CronJob with this status; null if it has that status already. */
  @Nullable KubeObject updated() {
    ObjectNode copy = cronJob.copy();
    ObjectNode status = copy.withObjectProperty("status");
    put(status, "lastScheduleTime", lastSchedule);
    put(status, "lastSuccessfulTime", lastSuccess);
    status.remove(CronJobAdmission.NEXT_SCHEDULE_TIME);
    put(status, CronJobAdmission.NEXT_SCHEDULE_TIME, nextSchedule);
    CronStatus before = new CronStatus(cronJob);
    if (!before.active.equals(active)) {
      ArrayNode references = status.putArray("active");
      active.forEach((uid, ref) ->
          references
              .addObject()
              .put("apiVersion", Kind.JOB.apiVersion())
              .put("kind", Kind.JOB.kind())
              .put("name", ref.name())
              .put("namespace", ref.namespace())
              .put("uid", uid));
      if (references.isEmpty()) {
        status.remove("active");
      }
    }
    return Objects.equals(Json.objectAt(copy, "status"), cronJob.status())
            || (cronJob.status() == null && status.isEmpty())
        ? null
        : KubeObject.of(copy);
  }

  private static void put(ObjectNode status, String member, @Nullable Instant time) {
    if (time != null) {
      status.put(member, Timestamps.format(time));
    }
  }

  private static @Nullable Instant latest(@Nullable Instant a, @Nullable Instant b) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    return a.isAfter(b) ? a : b;
  }
}
