package dev.stint.model.job;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;

/**
 * Rules of {@code backoffLimitPerIndex} and {@code maxFailedIndexes} (KEP-3850, Job API, Risks).
 */
final class BackoffLimitPerIndexRules {
  /** The number of completions up to which a Job's index sets are small whatever fails. */
  static final int MANY_COMPLETIONS = 100_000;

  private static final int MAX_WITH_MANY = 10_000;

  private BackoffLimitPerIndexRules() {}

  static void check(FieldPath spec, FieldErrors faults) {
    FieldPath perIndex = spec.get("backoffLimitPerIndex");
    FieldPath maxFailed = spec.get("maxFailedIndexes");
    if (maxFailed.exists() && !perIndex.exists()) {
      faults.required(perIndex, "is required with maxFailedIndexes");
    }
    if (JobSpecRules.isIndexed(spec)) {
      limits(spec, perIndex, maxFailed, faults);
    } else if (isNonIndexed(spec)) {
      needsIndexed(perIndex, faults);
      needsIndexed(maxFailed, faults);
    }
  }

  private static boolean isNonIndexed(FieldPath spec) {
    FieldPath mode = spec.get("completionMode");
    return !mode.exists() || mode.text().equals("NonIndexed");
  }

  private static void needsIndexed(FieldPath field, FieldErrors faults) {
    if (field.exists()) {
      faults.invalid(field, "is only allowed for Jobs with completionMode Indexed");
    }
  }

  private static void limits(
      FieldPath spec, FieldPath perIndex, FieldPath maxFailed, FieldErrors faults) {
    long completions = spec.get("completions").count();
    if (maxFailed.exists()) {
      if (spec.get("completions").exists() && maxFailed.count() > completions) {
        faults.invalid(
            maxFailed, maxFailed.count() + " must be at most completions, which is " + completions);
      }
      if (maxFailed.count() > MANY_COMPLETIONS) {
        faults.invalid(maxFailed, maxFailed.count() + " must be at most " + MANY_COMPLETIONS);
      }
    }
    if (perIndex.exists() && completions > MANY_COMPLETIONS) {
      manyCompletions(spec, maxFailed, faults);
    }
  }

  private static void manyCompletions(FieldPath spec, FieldPath maxFailed, FieldErrors faults) {
    String where = " when completions is above 100000";
    if (!maxFailed.exists()) {
      faults.required(maxFailed, "is required with backoffLimitPerIndex" + where);
    } else if (maxFailed.count() > MAX_WITH_MANY) {
      faults.invalid(maxFailed, maxFailed.count() + " must be at most 10000" + where);
    }
    FieldPath parallelism = spec.get("parallelism");
    if (parallelism.count() > MAX_WITH_MANY) {
      faults.invalid(
          parallelism,
          parallelism.count() + " must be at most 10000 with backoffLimitPerIndex" + where);
    }
  }
}
