package dev.stint.model.support;

import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.Json;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Rules of a Lease's {@code spec}. An empty holder means none: leaders that step down write it. */
public final class LeaseRules {
  private static final List<String> COORDINATED = List.of("strategy", "preferredHolder");

  private LeaseRules() {}

  /**
   * Removes the fields of disabled gates, unless the stored Lease has them.
   *
   * @param stored the Lease before; null for a new one
   */
  public static void dropGated(ObjectNode lease, @Nullable ObjectNode stored, FeatureGates gates) {
    ObjectNode spec = Json.objectAt(lease, "spec");
    ObjectNode known = Json.objectAt(stored, "spec");
    if (spec == null || spec == known || gates.has(Gate.CoordinatedLeaderElection)) {
      return;
    }
    for (String field : COORDINATED) {
      if (known == null || !known.hasNonNull(field)) {
        spec.remove(field);
      }
    }
  }

  /** Checks a new or changed specification. */
  public static void check(FieldPath spec, FieldErrors faults) {
    FieldPath duration = spec.get("leaseDurationSeconds");
    if (duration.exists() && duration.count() <= 0) {
      faults.invalid(duration, "must be greater than 0");
    }
    faults.invalidIfNegative(spec.get("leaseTransitions"));
    if (!spec.get("preferredHolder").isEmpty() && spec.get("strategy").isEmpty()) {
      faults.forbidden(spec.get("preferredHolder"), "requires a strategy");
    }
  }
}
