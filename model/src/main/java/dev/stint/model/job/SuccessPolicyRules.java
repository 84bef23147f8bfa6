package dev.stint.model.job;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.index.IndexSet;
import dev.stint.model.index.IndexSet.FormatException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rules of {@code successPolicy} (KEP-3998, Job API). */
final class SuccessPolicyRules {
  static final int MAX_RULES = 20;
  static final int MAX_INDEXES_TEXT = 64 << 10;

  private SuccessPolicyRules() {}

  static void check(FieldPath spec, FieldErrors faults) {
    FieldPath policy = spec.get("successPolicy");
    if (!policy.exists()) {
      return;
    }
    if (!JobSpecRules.isIndexed(spec)) {
      faults.invalid(policy, "is only allowed for Jobs with completionMode Indexed");
      return;
    }
    List<FieldPath> rules = policy.get("rules").items();
    if (rules.isEmpty()) {
      faults.required(policy.get("rules"), "needs at least one rule");
    }
    if (rules.size() > MAX_RULES) {
      faults.tooMany(policy.get("rules").path(), rules.size(), MAX_RULES);
    }
    rules.forEach(rule -> rule(rule, spec.get("completions").number(), faults));
  }

  /**
   * @param completions null if it is missing, which is a separate fault
   */
  private static void rule(FieldPath rule, @Nullable Long completions, FieldErrors faults) {
    FieldPath indexes = rule.get("succeededIndexes");
    FieldPath count = rule.get("succeededCount");
    if (!indexes.exists() && !count.exists()) {
      faults.required(rule, "needs succeededIndexes or succeededCount");
    }
    @Nullable Integer named = indexes.exists() ? indexes(indexes, completions, faults) : null;
    if (count.exists()) {
      count(count, completions, named, faults);
    }
  }

  /** Counts the named indexes; 0 if the text is not a set of the Job's indexes. */
  private static int indexes(FieldPath indexes, @Nullable Long completions, FieldErrors faults) {
    String text = indexes.text();
    if (text.length() > MAX_INDEXES_TEXT) {
      faults.tooLong(
          indexes.path(), "has " + text.length() + " characters; at most 65536 are allowed");
    }
    try {
      IndexSet set = IndexSet.parse(text);
      if (completions != null && set.max() >= completions) {
        faults.invalid(
            indexes, "index " + set.max() + " must be below completions, which is " + completions);
        return 0;
      }
      return set.size();
    } catch (FormatException e) {
      faults.invalid(indexes, e.getMessage() + "; write indexes like 1,3-5,7");
      return 0;
    }
  }

  private static void count(
      FieldPath count, @Nullable Long completions, @Nullable Integer named, FieldErrors faults) {
    faults.invalidIfNegative(count);
    if (completions != null && count.count() > completions) {
      faults.invalid(
          count, count.count() + " must be at most completions, which is " + completions);
    }
    if (named != null && count.count() > named) {
      faults.invalid(
          count,
          count.count() + " must be at most the number of indexes in succeededIndexes, " + named);
    }
  }
}
