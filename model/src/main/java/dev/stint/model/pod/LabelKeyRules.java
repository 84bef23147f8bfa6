package dev.stint.model.pod;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;

/** Rules of lists of label keys whose values are taken from the pod itself. */
final class LabelKeyRules {
  private LabelKeyRules() {}

  /**
   * @param selector the selector to which the keys are added
   */
  static void check(FieldPath keys, FieldPath selector, FieldErrors faults) {
    if (keys.isEmpty()) {
      return;
    }
    if (!selector.exists()) {
      faults.forbidden(keys, "needs labelSelector");
      return;
    }
    for (FieldPath key : keys.items()) {
      faults.invalidUnlessSound(key, Formats.qualifiedName(key.text()));
    }
  }
}
