package dev.stint.model.fuzz;

import dev.stint.model.FeatureGates;
import dev.stint.model.Json;
import dev.stint.model.cron.CronJobAdmission;
import dev.stint.model.document.Document;
import dev.stint.model.document.DocumentSyntaxException;
import dev.stint.model.document.Documents;
import dev.stint.model.field.FieldError;
import dev.stint.model.job.JobAdmission;
import dev.stint.model.pod.PodDefaults;
import dev.stint.model.pod.PodUpdateValidation;
import dev.stint.model.pod.PodValidation;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads arbitrary bytes as documents and admits their objects. There is always an answer, and an
 * admitted object may be written again unchanged.
 *
 * <p>Jazzer calls {@link #fuzzerTestOneInput} (see CONTRIBUTING); it does not depend on Jazzer.
 */
public final class AdmissionFuzzTarget {
  private static final String UID = "0b438bee-a7b0-44bf-8a1a-370dc60055a1";

  private AdmissionFuzzTarget() {}

  /** Throws if a rule of this class is broken, or anything else goes wrong. */
  public static void fuzzerTestOneInput(byte[] bytes) {
    List<Document> documents;
    try {
      documents = Documents.read("fuzz", bytes);
    } catch (DocumentSyntaxException neitherYamlNorJson) {
      return;
    }
    for (Document document : documents) {
      document.faults().forEach(fault -> said(document, fault));
      if (document.faults().isEmpty()) {
        admit(document, document.object().copy());
      }
    }
  }

  private static void admit(Document document, ObjectNode object) {
    ObjectNode metadata = object.withObjectProperty("metadata");
    metadata.put("namespace", "default").put("uid", UID).put("resourceVersion", "1");
    JsonNode status = object.path("status").deepCopy();
    List<FieldError> faults =
        switch (document.object().kindName()) {
          case "Job" -> job(object, status);
          case "CronJob" -> CronJobAdmission.create(object, FeatureGates.DEFAULT);
          case "Pod" -> pod(object);
          default -> List.of();
        };
    faults.forEach(fault -> said(document, fault));
  }

  private static List<FieldError> job(ObjectNode job, JsonNode status) {
    List<FieldError> faults = JobAdmission.create(job, UID, FeatureGates.DEFAULT);
    if (!faults.isEmpty()) {
      return faults;
    }
    none(JobAdmission.update(job, job.deepCopy(), FeatureGates.DEFAULT));
    ObjectNode written = job.deepCopy();
    written.set("status", status instanceof ObjectNode ? status : Json.object());
    List<FieldError> refused = JobAdmission.updateStatus(job, written, FeatureGates.DEFAULT);
    if (refused.isEmpty()) {
      none(JobAdmission.updateStatus(written, written.deepCopy(), FeatureGates.DEFAULT));
    }
    return refused;
  }

  private static List<FieldError> pod(ObjectNode pod) {
    PodDefaults.applyToPod(pod);
    List<FieldError> faults = PodValidation.create(pod);
    if (faults.isEmpty()) {
      none(PodUpdateValidation.update(pod, pod.deepCopy()));
    }
    return faults;
  }

  private static void none(List<FieldError> faults) {
    if (!faults.isEmpty()) {
      throw new AssertionError("admitted, but not once more: " + faults);
    }
  }

  private static void said(Document document, FieldError fault) {
    if (document.describe(fault).isBlank() || fault.message().isBlank()) {
      throw new AssertionError("a fault without words at " + fault.path());
    }
  }
}
