package dev.stint.model.job.after;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;

/** The rules for a Job that starts after others. */
public final class AfterRules {
  private AfterRules() {}

  /**
   * Checks a Job, or a template of Jobs. Says nothing about the value of the annotation, which is
   * that of an option.
   */
  public static void check(FieldPath job, FieldErrors faults) {
    FieldPath annotation = job.get("metadata", "annotations").entry(After.ANNOTATION);
    After after = annotation.exists() ? After.readable(annotation.text()) : null;
    if (after == null) {
      return;
    }
    FieldPath suspend = job.get("spec", "suspend");
    if (!suspend.isTrue()) {
      String detail = "must be true, as it is " + After.ANNOTATION + " that starts the Job";
      if (suspend.exists()) {
        faults.invalid(suspend, detail);
      } else {
        faults.required(suspend, detail);
      }
    }
  }
}
