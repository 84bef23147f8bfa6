package dev.stint.model.job;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.index.IndexSet;
import dev.stint.model.index.IndexSet.FormatException;

/** Rules of {@code completedIndexes} and {@code failedIndexes}. */
final class StatusIndexRules {
  private StatusIndexRules() {}

  static void check(StatusChange change, FieldErrors faults) {
    boolean completedChanged = change.isChanged("completedIndexes");
    boolean failedChanged = change.isChanged("failedIndexes");
    if (!completedChanged && !failedChanged) {
      return;
    }
    FieldPath spec = change.spec();
    FieldPath completed = change.after().get("completedIndexes");
    FieldPath failed = change.after().get("failedIndexes");
    if (completedChanged && !completed.isEmpty() && !JobSpecRules.isIndexed(spec)) {
      faults.invalid(completed, "is only allowed for Jobs with completionMode Indexed");
    }
    if (failedChanged && failed.exists() && !spec.get("backoffLimitPerIndex").exists()) {
      faults.invalid(failed, "is only allowed for Jobs with backoffLimitPerIndex");
    }
    // A corrupt stored set is not a fault of a write that leaves it alone.
    IndexSet done = parse(completed, spec, completedChanged ? faults : new FieldErrors());
    IndexSet lost = parse(failed, spec, failedChanged ? faults : new FieldErrors());
    if (done.intersectionSize(lost) > 0) {
      faults.invalid(
          failed,
          "has an index that is also in completedIndexes; an index either fails or succeeds");
    }
  }

  /** Returns the set; for a malformed text, the part before its fault. */
  private static IndexSet parse(FieldPath indexes, FieldPath spec, FieldErrors faults) {
    try {
      IndexSet set = IndexSet.parse(indexes.text());
      Long completions = spec.get("completions").number();
      if (completions != null && set.max() >= completions) {
        faults.invalid(
            indexes, "index " + set.max() + " must be below completions, which is " + completions);
      }
      return set;
    } catch (FormatException e) {
      faults.invalid(indexes, e.getMessage() + "; write indexes like 1,3-5,7");
      return IndexSet.soundPart(indexes.text());
    }
  }
}
