package dev.stint.model.support;

import dev.stint.model.field.At;
import dev.stint.model.field.Faults;

/** Rules of a Lease's {@code spec}. An empty holder is none: so leaders that step down write it. */
public final class LeaseRules {
  private LeaseRules() {}

  /** Checks a new or changed specification. */
  public static void check(At spec, Faults faults) {
    At duration = spec.get("leaseDurationSeconds");
    if (duration.exists() && duration.count() <= 0) {
      faults.invalid(duration, "must be greater than 0");
    }
    faults.invalidIfNegative(spec.get("leaseTransitions"));
    if (!spec.get("preferredHolder").isEmpty() && spec.get("strategy").isEmpty()) {
      faults.forbidden(spec.get("preferredHolder"), "needs a strategy beside it");
    }
  }
}
