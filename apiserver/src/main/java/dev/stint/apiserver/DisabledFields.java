package dev.stint.apiserver;

import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.Json;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/**
 * Fields of a Job whose feature is off: dropped in silence, unless they are stored already
 * (KEP-3998 and KEP-4368, Upgrade / Downgrade Strategy).
 */
final class DisabledFields {
  private static final Map<Gate, List<String>> FIELDS =
      Map.of(
          Gate.JobSuccessPolicy, List.of("successPolicy"),
          Gate.JobManagedBy, List.of("managedBy"),
          Gate.JobBackoffLimitPerIndex, List.of("backoffLimitPerIndex", "maxFailedIndexes"),
          Gate.JobPodReplacementPolicy, List.of("podReplacementPolicy"));

  private DisabledFields() {}

  /**
   * @param before the stored Job; an empty object where there is none
   * @param after the Job to change
   */
  static void drop(FeatureGates gates, ObjectNode before, ObjectNode after) {
    ObjectNode spec = Json.objectAt(after, "spec");
    if (spec == null) {
      return;
    }
    ObjectNode stored = Json.objectAt(before, "spec");
    FIELDS.forEach((gate, fields) -> {
      if (!gates.has(gate) && fields.stream().noneMatch(f -> stored != null && stored.has(f))) {
        spec.remove(fields);
      }
    });
  }
}
