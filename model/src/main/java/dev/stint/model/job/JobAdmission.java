package dev.stint.model.job;

import dev.stint.model.FeatureGates;
import dev.stint.model.Json;
import dev.stint.model.document.StoredForm;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldPath;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The admission of Jobs: the one path for every writer, from a document or over HTTP.
 *
 * <p>Each method turns the given Job into the one to store, and returns all faults that forbid
 * storing it, each with its field's path. Jobs must fit the schema of their kind, as those that
 * {@link dev.stint.model.document.Documents} reads without a fault do.
 *
 * <p>A Job from a file, checked without a server:
 *
 * <pre>{@code
 * Document document = Documents.read("job.yaml", bytes).getFirst();
 * List<FieldError> faults = document.faults();
 * if (faults.isEmpty()) {
 *   ObjectNode job = document.object().copy();
 *   job.withObjectProperty("metadata").put("namespace", "default");
 *   faults = JobAdmission.create(job, UUID.randomUUID().toString(), FeatureGates.DEFAULT);
 * }
 * faults.forEach(fault -> System.err.println(document.describe(fault)));
 * }</pre>
 */
public final class JobAdmission {
  private JobAdmission() {}

  /**
   * Prepares and checks a new Job, which has its name and namespace.
   *
   * @param uid the new Job's identity
   */
  public static List<FieldError> create(ObjectNode job, String uid, FeatureGates gates) {
    ObjectNode metadata = job.withObjectProperty("metadata");
    ObjectNode spec = job.withObjectProperty("spec");
    metadata.put("uid", uid);
    metadata.put("generation", 1);
    job.putObject("status");
    GatedFields.drop(spec, null, gates);
    JobDefaults.applyToSpec(spec);
    JobDefaults.generate(job, uid);
    List<FieldError> faults = JobValidation.create(job, gates);
    JobDefaults.apply(job);
    GatedFields.drop(spec, null, gates);
    return settled(job, faults);
  }

  /** Prepares and checks a changed Job; its status stays as it was. */
  public static List<FieldError> update(ObjectNode before, ObjectNode after, FeatureGates gates) {
    ObjectNode spec = after.withObjectProperty("spec");
    ObjectNode known = Json.objectAt(before, "spec");
    ObjectNode stored = known == null ? Json.object() : known;
    GatedFields.drop(spec, stored, gates);
    JobDefaults.apply(after);
    GatedFields.drop(spec, stored, gates);
    restore("status", before, after);
    ObjectNode metadata = after.withObjectProperty("metadata");
    long generation = orZero(Json.longInteger(Json.objectAt(before, "metadata"), "generation"));
    FieldPath wanted = FieldPath.root(StoredForm.of(after, before));
    boolean same = FieldPath.root(before).get("spec").sameAs(wanted.get("spec"));
    metadata.put("generation", same ? generation : generation + 1);
    return settled(after, JobUpdateValidation.update(before, after, gates));
  }

  /** Prepares and checks a changed status; everything else stays as it was. */
  public static List<FieldError> updateStatus(
      ObjectNode before, ObjectNode after, FeatureGates gates) {
    restore("spec", before, after);
    after.withObjectProperty("status");
    return JobStatusValidation.update(before, after, gates);
  }

  /** Removes from a valid Job the empty values that counted only while it was checked. */
  private static List<FieldError> settled(ObjectNode job, List<FieldError> faults) {
    if (faults.isEmpty()) {
      job.setAll(StoredForm.of(job));
    }
    return faults;
  }

  private static void restore(String member, ObjectNode before, ObjectNode after) {
    JsonNode found = before.get(member);
    if (found == null) {
      after.remove(member);
    } else {
      after.set(member, found);
    }
  }

  private static long orZero(@Nullable Long number) {
    return number == null ? 0 : number;
  }
}
