package dev.stint.model.job;

import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.Json;
import dev.stint.model.field.At;
import dev.stint.model.field.FieldError;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What becomes of a Job on its way in: the one path for every writer, from a document or over HTTP.
 *
 * <p>Each method changes the Job that it is given into the one to store, and returns the faults
 * that forbid storing it.
 */
public final class JobAdmission {
  private JobAdmission() {}

  /**
   * Prepares and checks a new Job, whose name and namespace are settled.
   *
   * @param uid the new Job's identity
   */
  public static List<FieldError> create(ObjectNode job, String uid, FeatureGates gates) {
    ObjectNode metadata = job.withObjectProperty("metadata");
    ObjectNode spec = job.withObjectProperty("spec");
    metadata.put("uid", uid);
    metadata.put("generation", 1);
    job.putObject("status");
    dropDisabled(spec, null, gates);
    JobDefaults.applyToSpec(spec);
    JobDefaults.generate(job, uid);
    List<FieldError> faults = JobValidation.create(job, gates);
    JobDefaults.apply(job);
    dropDisabledDefaults(spec, null, gates);
    return faults;
  }

  /** Prepares and checks a changed Job; its status stays as it was. */
  public static List<FieldError> update(ObjectNode before, ObjectNode after, FeatureGates gates) {
    ObjectNode spec = after.withObjectProperty("spec");
    dropDisabled(spec, Json.objectAt(before, "spec"), gates);
    JobDefaults.apply(after);
    dropDisabledDefaults(spec, Json.objectAt(before, "spec"), gates);
    restore("status", before, after);
    ObjectNode metadata = after.withObjectProperty("metadata");
    long generation = orZero(Json.longInteger(Json.objectAt(before, "metadata"), "generation"));
    boolean same = At.root(before).get("spec").sameAs(At.root(after).get("spec"));
    metadata.put("generation", same ? generation : generation + 1);
    return JobUpdateValidation.update(before, after, gates);
  }

  /** Prepares and checks a changed status; all else stays as it was. */
  public static List<FieldError> updateStatus(
      ObjectNode before, ObjectNode after, FeatureGates gates) {
    restore("spec", before, after);
    after.withObjectProperty("status");
    return JobStatusValidation.update(before, after, gates);
  }

  /**
   * Takes away the fields of features that are off, unless the stored Job has them already: what
   * was once accepted must survive a switch (KEP-3998, Upgrade; KEP-4368 and KEP-3850 likewise).
   *
   * @param stored the specification before; null for a new Job
   */
  static void dropDisabled(ObjectNode spec, @Nullable ObjectNode stored, FeatureGates gates) {
    drop(gates.has(Gate.JobSuccessPolicy), spec, stored, "successPolicy");
    drop(gates.has(Gate.JobManagedBy), spec, stored, "managedBy");
    boolean perIndex = gates.has(Gate.JobBackoffLimitPerIndex);
    drop(perIndex, spec, stored, "backoffLimitPerIndex");
    drop(perIndex, spec, stored, "maxFailedIndexes");
    if (!perIndex && stored == null) {
      dropFailIndexRules(spec);
    }
  }

  /** The same for what is filled in where it is left out, and so goes last. */
  private static void dropDisabledDefaults(
      ObjectNode spec, @Nullable ObjectNode stored, FeatureGates gates) {
    drop(gates.has(Gate.JobPodReplacementPolicy), spec, stored, "podReplacementPolicy");
  }

  private static void drop(
      boolean enabled, ObjectNode spec, @Nullable ObjectNode stored, String member) {
    if (!enabled && (stored == null || !stored.hasNonNull(member))) {
      spec.remove(member);
    }
  }

  private static void dropFailIndexRules(ObjectNode spec) {
    ArrayNode rules = Json.arrayAt(Json.objectAt(spec, "podFailurePolicy"), "rules");
    if (rules == null) {
      return;
    }
    for (int i = rules.size() - 1; i >= 0; i--) {
      if ("FailIndex".equals(Json.text(rules.get(i), "action"))) {
        rules.remove(i);
      }
    }
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
