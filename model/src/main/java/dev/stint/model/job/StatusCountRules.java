package dev.stint.model.job;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.index.IndexSet;
import java.util.List;

/** Rules of the counters of a Job's status. */
final class StatusCountRules {
  private static final List<String> COUNTS =
      List.of("active", "succeeded", "failed", "ready", "terminating");

  private StatusCountRules() {}

  static void check(StatusChange change, FieldErrors faults) {
    StatusView status = change.after();
    COUNTS.forEach(count -> faults.invalidIfNegative(status.get(count)));
    notFalling(change, "failed", faults);
    boolean falls =
        change.after().get("succeeded").count() < change.before().get("succeeded").count();
    if (falls && !scales(change.spec()) && !losesIndexes(change)) {
      notFalling(change, "succeeded", faults);
    }
    if (change.changesFinished() || change.isChanged("active")) {
      zeroOnceFinished(status, "active", faults);
    }
    if (change.changesFinished() || change.isChanged("terminating")) {
      zeroOnceFinished(status, "terminating", faults);
    }
    FieldPath ready = status.get("ready");
    long active = status.get("active").count();
    boolean touched = change.isChanged("ready") || change.isChanged("active");
    if (touched && ready.exists() && ready.count() > active) {
      faults.invalid(ready, ready.count() + " must be at most active, which is " + active);
    }
  }

  /**
   * True if an Indexed Job may be scaled down: it has as many completions as parallelism. A removed
   * index takes its success with it (KEP-3715).
   */
  private static boolean scales(FieldPath spec) {
    Long completions = spec.get("completions").number();
    return JobSpecRules.isIndexed(spec)
        && completions != null
        && completions.equals(spec.get("parallelism").number());
  }

  /**
   * True if a scale-down removed succeeded indexes, and no status was written since. If parallelism
   * alone was changed afterwards, the specification no longer shows the scale-down.
   */
  private static boolean losesIndexes(StatusChange change) {
    Long completions = change.spec().get("completions").number();
    String completed = change.before().get("completedIndexes").text();
    return JobSpecRules.isIndexed(change.spec())
        && completions != null
        && !completed.isEmpty()
        && IndexSet.salvage(completed).max() >= completions;
  }

  private static void notFalling(StatusChange change, String member, FieldErrors faults) {
    long before = change.before().get(member).count();
    FieldPath after = change.after().get(member);
    if (after.count() < before) {
      faults.invalid(after, after.count() + " must not decrease; it was " + before);
    }
  }

  private static void zeroOnceFinished(StatusView status, String member, FieldErrors faults) {
    FieldPath count = status.get(member);
    if (status.isFinished() && count.count() > 0) {
      faults.invalid(count, count.count() + " must be 0 once the Job is Complete or Failed");
    }
  }
}
