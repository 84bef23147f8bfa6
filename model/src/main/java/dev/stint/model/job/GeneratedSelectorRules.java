package dev.stint.model.job;

import dev.stint.model.Names;
import dev.stint.model.field.At;
import dev.stint.model.field.Faults;
import dev.stint.model.field.Words;
import dev.stint.model.meta.LabelSelectorRules;
import java.util.Map;

/** Unless {@code manualSelector} is true, selector and labels must be those that were generated. */
final class GeneratedSelectorRules {
  private GeneratedSelectorRules() {}

  /**
   * @param newLabels whether the labels with a domain must be there; a Job from before they existed
   *     has only the old ones
   */
  static void check(At job, boolean newLabels, Faults faults) {
    At spec = job.get("spec");
    if (spec.get("manualSelector").isTrue() || !spec.get("selector").exists()) {
      return;
    }
    At metadata = job.get("metadata");
    String uid = metadata.get("uid").text();
    String name = metadata.get("name").text();
    if (uid.isEmpty()) {
      faults.required(metadata.get("uid"), "is needed, and given by the server");
    }
    At labels = spec.get("template", "metadata", "labels");
    label(labels, Names.LEGACY_CONTROLLER_UID, uid, faults);
    label(labels, Names.LEGACY_JOB_NAME, name, faults);
    if (newLabels) {
      label(labels, Names.CONTROLLER_UID, uid, faults);
      label(labels, Names.JOB_NAME, name, faults);
    }
    Map<String, String> generated = JobDefaults.labels(uid, name);
    At selector = spec.get("selector");
    if (LabelSelectorRules.isSound(selector) && !LabelSelectorRules.matches(selector, generated)) {
      faults.invalid(
          selector,
          "does not fit the labels that the Job's pods are given; leave the selector out, or set"
              + " manualSelector");
    }
  }

  private static void label(At labels, String key, String value, Faults faults) {
    At label = labels.get(key);
    String path = labels.path() + "[" + key + "]";
    if (!label.exists()) {
      faults.required(path, "must be " + Words.quoted(value));
    } else if (!label.text().equals(value)) {
      faults.invalid(
          path, Words.quoted(label.text()) + " must be " + Words.quoted(value) + ", or left out");
    }
  }
}
