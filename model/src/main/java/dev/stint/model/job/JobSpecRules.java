package dev.stint.model.job;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import java.util.List;

/** The rules of a Job's own fields, family by family. */
final class JobSpecRules {
  static final String INDEXED = "Indexed";

  private static final List<String> COUNTS =
      List.of(
          "parallelism",
          "completions",
          "activeDeadlineSeconds",
          "backoffLimit",
          "ttlSecondsAfterFinished",
          "backoffLimitPerIndex",
          "maxFailedIndexes");
  private static final List<String> COMPLETION_MODES = List.of("NonIndexed", INDEXED);
  private static final List<String> REPLACEMENT_POLICIES = List.of("Failed", "TerminatingOrFailed");

  private JobSpecRules() {}

  static void check(FieldPath spec, FieldErrors faults) {
    COUNTS.forEach(count -> faults.invalidIfNegative(spec.get(count)));
    faults.notSupportedUnlessIn(spec.get("completionMode"), COMPLETION_MODES);
    IndexedJobRules.check(spec, faults);
    BackoffLimitPerIndexRules.check(spec, faults);
    SuccessPolicyRules.check(spec, faults);
    PodFailurePolicyRules.check(spec, faults);
    ManagedByRules.check(spec.get("managedBy"), faults);
    replacementPolicy(spec, faults);
  }

  static boolean isIndexed(FieldPath spec) {
    return spec.get("completionMode").text().equals(INDEXED);
  }

  private static void replacementPolicy(FieldPath spec, FieldErrors faults) {
    FieldPath policy = spec.get("podReplacementPolicy");
    boolean known = REPLACEMENT_POLICIES.contains(policy.text());
    if (known && !policy.text().equals("Failed") && spec.get("podFailurePolicy").exists()) {
      faults.notSupported(policy.path(), "must be Failed with podFailurePolicy, or left out");
    } else {
      faults.notSupportedUnlessIn(policy, REPLACEMENT_POLICIES);
    }
  }
}
