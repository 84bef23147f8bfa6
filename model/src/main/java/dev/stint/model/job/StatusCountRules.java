package dev.stint.model.job;

import dev.stint.model.field.At;
import dev.stint.model.field.Faults;
import java.util.List;

/** Rules of the counters of a Job's status. */
final class StatusCountRules {
  private static final List<String> COUNTS =
      List.of("active", "succeeded", "failed", "ready", "terminating");

  private StatusCountRules() {}

  static void check(StatusChange change, Faults faults) {
    StatusView status = change.after();
    COUNTS.forEach(count -> faults.invalidIfNegative(status.get(count)));
    notFalling(change, "failed", faults);
    if (!emptied(change.spec())) {
      notFalling(change, "succeeded", faults);
    }
    if (change.finishedChanged() || change.changed("active")) {
      zeroOnceFinished(status, "active", faults);
    }
    if (change.finishedChanged() || change.changed("terminating")) {
      zeroOnceFinished(status, "terminating", faults);
    }
    At ready = status.get("ready");
    long active = status.get("active").count();
    boolean touched = change.changed("ready") || change.changed("active");
    if (touched && ready.exists() && ready.count() > active) {
      faults.invalid(ready, ready.count() + " must be at most active, which is " + active);
    }
  }

  /**
   * An Indexed Job that was scaled to nothing while suspended has no succeeded indexes any more.
   */
  private static boolean emptied(At spec) {
    return JobSpecRules.indexed(spec)
        && spec.get("suspend").isTrue()
        && spec.get("completions").count() == 0;
  }

  private static void notFalling(StatusChange change, String member, Faults faults) {
    long before = change.before().get(member).count();
    At after = change.after().get(member);
    if (after.count() < before) {
      faults.invalid(after, after.count() + " must not be below what it was, " + before);
    }
  }

  private static void zeroOnceFinished(StatusView status, String member, Faults faults) {
    At count = status.get(member);
    if (status.finished() && count.count() > 0) {
      faults.invalid(count, count.count() + " must be 0 once the Job is Complete or Failed");
    }
  }
}
