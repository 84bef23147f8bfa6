package dev.stint.model.job;

import dev.stint.model.Names;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.MessagePhrases;
import dev.stint.model.meta.LabelSelectorRules;
import java.util.Map;

/**
 * Rules of the generated selector and labels, which are required unless {@code manualSelector} is
 * true.
 */
final class GeneratedSelectorRules {
  private GeneratedSelectorRules() {}

  /**
   * @param newLabels whether the labels with a domain are required; a Job from before they existed
   *     has only the old ones
   */
  static void check(FieldPath job, boolean newLabels, FieldErrors faults) {
    FieldPath spec = job.get("spec");
    if (spec.get("manualSelector").isTrue() || !spec.get("selector").exists()) {
      return;
    }
    FieldPath metadata = job.get("metadata");
    String uid = metadata.get("uid").text();
    String name = metadata.get("name").text();
    if (uid.isEmpty()) {
      faults.required(metadata.get("uid"), "is required; the server sets it");
    }
    FieldPath labels = spec.get("template", "metadata", "labels");
    label(labels, Names.LEGACY_CONTROLLER_UID, uid, faults);
    label(labels, Names.LEGACY_JOB_NAME, name, faults);
    if (newLabels) {
      label(labels, Names.CONTROLLER_UID, uid, faults);
      label(labels, Names.JOB_NAME, name, faults);
    }
    Map<String, String> generated = JobDefaults.labels(uid, name);
    FieldPath selector = spec.get("selector");
    if (LabelSelectorRules.isSound(selector) && !LabelSelectorRules.matches(selector, generated)) {
      faults.invalid(
          selector,
          "does not match the labels that the Job's pods get; omit the selector, or set"
              + " manualSelector");
    }
  }

  /** True if a stored Job has the labels with a domain. */
  static boolean hasNewLabels(FieldPath job) {
    FieldPath labels = job.get("spec", "template", "metadata", "labels");
    return labels.get(Names.CONTROLLER_UID).exists() && labels.get(Names.JOB_NAME).exists();
  }

  private static void label(FieldPath labels, String key, String value, FieldErrors faults) {
    FieldPath label = labels.get(key);
    String path = labels.path() + "[" + key + "]";
    if (!label.exists()) {
      faults.required(path, "must be " + MessagePhrases.quoted(value));
    } else if (!label.text().equals(value)) {
      faults.invalid(
          path,
          MessagePhrases.quoted(label.text())
              + " must be "
              + MessagePhrases.quoted(value)
              + ", or left out");
    }
  }
}
