package dev.stint.model.pod;

import dev.stint.model.field.At;
import dev.stint.model.field.Faults;
import dev.stint.model.field.Formats;

/** Rules of lists of label keys whose values are taken from the pod itself. */
final class LabelKeyRules {
  private LabelKeyRules() {}

  /**
   * @param selector the selector that the keys add to
   */
  static void check(At keys, At selector, Faults faults) {
    if (keys.isEmpty()) {
      return;
    }
    if (!selector.exists()) {
      faults.forbidden(keys, "needs labelSelector");
      return;
    }
    for (At key : keys.items()) {
      faults.invalidUnlessSound(key, Formats.qualifiedName(key.text()));
    }
  }
}
