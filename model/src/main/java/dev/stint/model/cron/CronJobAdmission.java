package dev.stint.model.cron;

import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.Json;
import dev.stint.model.document.StoredForm;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import dev.stint.model.job.GatedFields;
import dev.stint.model.meta.MetadataRules;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The admission of CronJobs: the one path for every writer.
 *
 * <p>Each method turns the given CronJob into the one to store, and returns the faults that forbid
 * storing it. Both objects must fit the schema of their kind, as those of {@link
 * dev.stint.model.document.Documents} do.
 *
 * <pre>{@code
 * List<FieldError> faults = CronJobAdmission.create(cronJob, FeatureGates.DEFAULT);
 * if (faults.isEmpty()) {
 *   store(cronJob); // with its defaults
 * }
 * }</pre>
 */
public final class CronJobAdmission {
  /** The longest name: a Job's name adds eleven characters, and a label holds 63. */
  private static final int LONGEST_NAME = 52;

  /** The member of a status that the gate {@code CronJobsNextScheduleTime} guards. */
  public static final String NEXT_SCHEDULE_TIME = "nextScheduleTime";

  private CronJobAdmission() {}

  /** Prepares and checks a new CronJob, which has its name, namespace and uid. */
  public static List<FieldError> create(ObjectNode cronJob, FeatureGates gates) {
    cronJob.withObjectProperty("metadata").put("generation", 1);
    cronJob.putObject("status");
    GatedFields.drop(jobSpec(cronJob), null, gates);
    CronJobDefaults.apply(cronJob);
    FieldErrors faults = new FieldErrors();
    FieldPath root = FieldPath.root(cronJob);
    MetadataRules.create(root.get("metadata"), Formats::dnsSubdomain, faults);
    CronJobRules.check(root.get("spec"), null, faults);
    FieldPath name = root.get("metadata", "name");
    if (name.text().length() > LONGEST_NAME) {
      faults.invalid(name, "must have at most 52 characters, to leave room for its Jobs' names");
    }
    return faults.list();
  }

  /** Prepares and checks a changed CronJob; its status stays as it was. */
  public static List<FieldError> update(ObjectNode before, ObjectNode after, FeatureGates gates) {
    JsonNode stored = before.at("/spec/jobTemplate/spec");
    GatedFields.drop(
        jobSpec(after), stored instanceof ObjectNode spec ? spec : Json.object(), gates);
    CronJobDefaults.apply(after);
    ObjectNode status = Json.objectAt(before, "status");
    after.set("status", status == null ? Json.object() : status);
    FieldPath old = FieldPath.root(before);
    FieldPath changed = FieldPath.root(after);
    long generation = old.get("metadata", "generation").count();
    FieldPath wanted = FieldPath.root(StoredForm.of(after, before));
    boolean same = old.get("spec").sameAs(wanted.get("spec"));
    after.withObjectProperty("metadata").put("generation", same ? generation : generation + 1);
    FieldErrors faults = new FieldErrors();
    MetadataRules.update(old.get("metadata"), changed.get("metadata"), faults);
    CronJobRules.check(changed.get("spec"), old.get("spec"), faults);
    return faults.list();
  }

  /**
   * Prepares a changed status: a field whose gate is off stays away, unless it was there before.
   */
  public static List<FieldError> updateStatus(
      ObjectNode before, ObjectNode after, FeatureGates gates) {
    ObjectNode stored = Json.objectAt(before, "status");
    ObjectNode status = Json.objectAt(after, "status");
    if (status != null
        && !gates.has(Gate.CronJobsNextScheduleTime)
        && (stored == null || !stored.hasNonNull(NEXT_SCHEDULE_TIME))) {
      status.remove(NEXT_SCHEDULE_TIME);
    }
    return List.of();
  }

  private static ObjectNode jobSpec(ObjectNode cronJob) {
    return cronJob
        .withObjectProperty("spec")
        .withObjectProperty("jobTemplate")
        .withObjectProperty("spec");
  }
}
