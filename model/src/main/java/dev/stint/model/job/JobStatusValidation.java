package dev.stint.model.job;

import dev.stint.model.FeatureGates;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * Validates changes of a Job's status (KEP-4368, Job status validation; KEP-3998, Job API).
 *
 * <p>The controller validates every status before writing it. Index sets are parsed only if they
 * change.
 *
 * <pre>{@code
 * ObjectNode wanted = stored.deepCopy();
 * wanted.withObjectProperty("status").put("active", -1);
 * List<FieldError> faults = JobStatusValidation.update(stored, wanted, FeatureGates.DEFAULT);
 * // status.active: -1 must be greater than or equal to 0
 * }</pre>
 */
public final class JobStatusValidation {
  private JobStatusValidation() {}

  /**
   * Checks a changed status.
   *
   * @return the faults; empty if the status may be written
   */
  public static List<FieldError> update(ObjectNode before, ObjectNode after, FeatureGates gates) {
    FieldErrors faults = new FieldErrors();
    StatusChange change = StatusChange.of(FieldPath.root(before), FieldPath.root(after), gates);
    StatusCountRules.check(change, faults);
    UncountedPodsRules.check(change, faults);
    StatusConditionRules.check(change, faults);
    StatusTimeRules.check(change, faults);
    StatusIndexRules.check(change, faults);
    return faults.list();
  }
}
