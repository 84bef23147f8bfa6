package dev.stint.model.job;

import dev.stint.model.FeatureGates;
import dev.stint.model.field.FieldPath;

/**
 * A write to a Job's status.
 *
 * <p>Most rules apply only if the write changes their fields, so that a status from before a rule
 * existed can still be written (KEP-4368, Job status validation).
 *
 * @param spec the Job's specification, which such a write cannot change
 */
record StatusChange(FieldPath spec, StatusView before, StatusView after, FeatureGates gates) {
  static StatusChange of(FieldPath before, FieldPath after, FeatureGates gates) {
    return new StatusChange(before.get("spec"), StatusView.of(before), StatusView.of(after), gates);
  }

  boolean isChanged(String member) {
    return !before.get(member).sameAs(after.get(member));
  }

  boolean changesFinished() {
    return before.isFinished() != after.isFinished();
  }

  boolean changesComplete() {
    return before.complete() != after.complete();
  }
}
