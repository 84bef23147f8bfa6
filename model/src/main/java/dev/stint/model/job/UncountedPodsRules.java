package dev.stint.model.job;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Rules of {@code uncountedTerminatedPods} (KEP-2307, API changes). */
final class UncountedPodsRules {
  private UncountedPodsRules() {}

  static void check(StatusChange change, FieldErrors faults) {
    FieldPath uncounted = change.after().get("uncountedTerminatedPods");
    Set<String> uids = new HashSet<>();
    boolean any = false;
    for (String list : List.of("succeeded", "failed")) {
      for (FieldPath uid : uncounted.get(list).items()) {
        any = true;
        if (uid.isEmpty()) {
          faults.invalid(uid, "a pod's uid must not be empty");
        } else if (!uids.add(uid.text())) {
          faults.duplicate(uid, "\"" + uid.text() + "\" occurs twice");
        }
      }
    }
    boolean touched = change.changesFinished() || change.isChanged("uncountedTerminatedPods");
    if (any && touched && change.after().isFinished()) {
      faults.invalid(uncounted, "must be empty once the Job is Complete or Failed");
    }
  }
}
