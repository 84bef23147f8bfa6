package dev.stint.model.job;

import dev.stint.model.field.At;
import dev.stint.model.field.Faults;

/**
 * Rules of {@code backoffLimitPerIndex} and {@code maxFailedIndexes} (KEP-3850, Job API, Risks).
 */
final class BackoffLimitPerIndexRules {
  /** Up to here, a Job's index sets are small whatever fails. */
  static final int MANY_COMPLETIONS = 100_000;

  private static final int MAX_WITH_MANY = 10_000;

  private BackoffLimitPerIndexRules() {}

  static void check(At spec, Faults faults) {
    At perIndex = spec.get("backoffLimitPerIndex");
    At maxFailed = spec.get("maxFailedIndexes");
    if (maxFailed.exists() && !perIndex.exists()) {
      faults.required(perIndex, "is needed with maxFailedIndexes");
    }
    if (JobSpecRules.indexed(spec)) {
      limits(spec, perIndex, maxFailed, faults);
    } else if (nonIndexed(spec)) {
      needsIndexed(perIndex, faults);
      needsIndexed(maxFailed, faults);
    }
  }

  private static boolean nonIndexed(At spec) {
    At mode = spec.get("completionMode");
    return !mode.exists() || mode.text().equals("NonIndexed");
  }

  private static void needsIndexed(At field, Faults faults) {
    if (field.exists()) {
      faults.invalid(field, "is for Jobs with completionMode Indexed only");
    }
  }

  private static void limits(At spec, At perIndex, At maxFailed, Faults faults) {
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

  private static void manyCompletions(At spec, At maxFailed, Faults faults) {
    String where = " where completions is above 100000";
    if (!maxFailed.exists()) {
      faults.required(maxFailed, "is needed with backoffLimitPerIndex" + where);
    } else if (maxFailed.count() > MAX_WITH_MANY) {
      faults.invalid(maxFailed, maxFailed.count() + " must be at most 10000" + where);
    }
    At parallelism = spec.get("parallelism");
    if (parallelism.count() > MAX_WITH_MANY) {
      faults.invalid(
          parallelism,
          parallelism.count() + " must be at most 10000 with backoffLimitPerIndex" + where);
    }
  }
}
