package dev.stint.model.job;

import dev.stint.model.Timestamps;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import java.time.Instant;

/** Rules of {@code startTime} and {@code completionTime}. */
final class StatusTimeRules {
  private StatusTimeRules() {}

  static void check(StatusChange change, FieldErrors faults) {
    startTime(change, faults);
    completionTime(change, faults);
    order(change, faults);
  }

  private static void startTime(StatusChange change, FieldErrors faults) {
    FieldPath start = change.after().get("startTime");
    boolean touched = change.changesFinished() || change.isChanged("startTime");
    if (touched && change.after().isFinished() && !start.exists() && !endsWithoutStart(change)) {
      faults.required(start, "is required once the Job is Complete or Failed");
    }
    if (change.before().get("startTime").exists()
        && change.isChanged("startTime")
        && !change.spec().get("suspend").isTrue()) {
      faults.invalid(start, "field is immutable unless the Job is suspended");
    }
  }

  /** True if the Job completes without a start: it is suspended, and needs no completions. */
  private static boolean endsWithoutStart(StatusChange change) {
    FieldPath completions = change.spec().get("completions");
    return change.spec().get("suspend").isTrue()
        && completions.exists()
        && completions.count() == 0
        && change.after().complete();
  }

  private static void completionTime(StatusChange change, FieldErrors faults) {
    FieldPath completion = change.after().get("completionTime");
    boolean changed = change.isChanged("completionTime");
    boolean complete = change.after().complete();
    if (changed && change.before().get("completionTime").exists() && completion.exists()) {
      faults.invalid(completion, "field is immutable once it is set");
    }
    if (!changed && !change.changesComplete()) {
      return;
    }
    if (completion.exists() && !complete) {
      faults.invalid(completion, "is only allowed for Jobs that are Complete");
    } else if (!completion.exists() && complete) {
      faults.required(completion, "is required once the Job is Complete");
    }
  }

  private static void order(StatusChange change, FieldErrors faults) {
    if (!change.isChanged("startTime") && !change.isChanged("completionTime")) {
      return;
    }
    FieldPath completion = change.after().get("completionTime");
    Instant end = Timestamps.parse(completion.text());
    Instant start = Timestamps.parse(change.after().get("startTime").text());
    if (end != null && start != null && end.isBefore(start)) {
      faults.invalid(completion, completion.text() + " must not be before startTime");
    }
  }
}
