package dev.stint.controllers.cronjob;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.Timestamps;
import dev.stint.model.job.JobCondition;
import java.time.Instant;
import java.util.Comparator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The CronJob controller's projection of a Job.
 *
 * @param deleting true if it is being deleted
 * @param begun when it was started, or created if it was not
 * @param outcome the outcome; interim conditions do not count
 * @param completed when it completed; null unless it is {@code Complete}, even if a time is set
 * @param scheduled when it was due, if a CronJob's controller created it
 */
record OwnedJob(
    ObjectRef ref,
    String uid,
    boolean deleting,
    Instant begun,
    JobEnd outcome,
    @Nullable Instant completed,
    @Nullable Instant scheduled) {
  static final Comparator<OwnedJob> OLDEST_FIRST =
      Comparator.comparing(OwnedJob::begun).thenComparing(job -> job.ref().name());

  /** The outcome of a Job. */
  enum JobEnd {
    UNFINISHED,
    COMPLETE,
    FAILED
  }

  /** Annotation: the due time of a Job, in the time zone of its CronJob. */
  static final String SCHEDULED = "batch.kubernetes.io/cronjob-scheduled-timestamp";

  static OwnedJob of(KubeObject job) {
    JobEnd outcome = outcome(job);
    Instant started = Timestamps.parse(Json.text(job.status(), "startTime"));
    Instant created = Objects.requireNonNullElse(job.creationTimestamp(), Instant.EPOCH);
    return new OwnedJob(
        job.ref(),
        job.uid(),
        job.deletionTimestamp() != null,
        started == null ? created : started,
        outcome,
        outcome == JobEnd.COMPLETE
            ? Timestamps.parse(Json.text(job.status(), "completionTime"))
            : null,
        Timestamps.parse(job.annotation(SCHEDULED)));
  }

  private static JobEnd outcome(KubeObject job) {
    JsonNode conditions = Json.arrayAt(job.status(), "conditions");
    if (conditions != null) {
      for (JsonNode condition : conditions) {
        if ("True".equals(Json.text(condition, "status"))) {
          if (JobCondition.COMPLETE.equals(Json.text(condition, "type"))) {
            return JobEnd.COMPLETE;
          }
          if (JobCondition.FAILED.equals(Json.text(condition, "type"))) {
            return JobEnd.FAILED;
          }
        }
      }
    }
    return JobEnd.UNFINISHED;
  }

  /**
   * True if the Job is Complete or Failed. {@code SuccessCriteriaMet} and {@code FailureTarget} do
   * not count: its pods may still run, so a CronJob that forbids concurrency starts no other Job
   * (KEP-3998, Notes: CronJob).
   */
  boolean isFinished() {
    return outcome != JobEnd.UNFINISHED;
  }
}
