package dev.stint.model.job;

import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.Json;
import dev.stint.model.pod.GatedPodFields;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The fields of a Job's {@code spec} that exist only with a gate on, including its pod template's.
 *
 * <p>Accepted fields survive a switch of the gate: a field stays if the stored Job has it
 * (KEP-3998, Upgrade; KEP-4368 and KEP-3850 likewise).
 */
public final class GatedFields {
  private static final Map<Gate, List<String>> FIELDS =
      Map.of(
          Gate.JobPodFailurePolicy, List.of("podFailurePolicy"),
          Gate.JobSuccessPolicy, List.of("successPolicy"),
          Gate.JobManagedBy, List.of("managedBy"),
          Gate.JobBackoffLimitPerIndex, List.of("backoffLimitPerIndex", "maxFailedIndexes"),
          Gate.JobPodReplacementPolicy, List.of("podReplacementPolicy"));

  private GatedFields() {}

  /**
   * Removes the fields of disabled gates, unless the stored Job has them.
   *
   * @param spec the specification of a Job or of a Job template; changed in place
   * @param stored the specification before; null for a new object
   */
  public static void drop(ObjectNode spec, @Nullable ObjectNode stored, FeatureGates gates) {
    FIELDS.forEach((gate, fields) -> {
      if (!gates.has(gate)) {
        fields.forEach(field -> drop(field, spec, stored));
      }
    });
    if (!gates.has(Gate.JobBackoffLimitPerIndex) && stored == null) {
      dropFailIndexRules(spec);
    }
    if (!gates.has(Gate.PodFailurePolicyName) && !namesRules(stored)) {
      rules(spec).forEach(rule -> rule.remove(PodFailurePolicyRules.NAME));
    }
    ObjectNode pod = podSpec(spec);
    if (pod != null) {
      GatedPodFields.drop(pod, podSpec(stored), gates);
    }
  }

  private static @Nullable ObjectNode podSpec(@Nullable ObjectNode jobSpec) {
    return Json.objectAt(Json.objectAt(jobSpec, "template"), "spec");
  }

  private static void drop(String field, ObjectNode spec, @Nullable ObjectNode stored) {
    if (stored == null || !stored.hasNonNull(field)) {
      spec.remove(field);
    }
  }

  private static boolean namesRules(@Nullable ObjectNode spec) {
    return rules(spec).stream().anyMatch(rule -> rule.hasNonNull(PodFailurePolicyRules.NAME));
  }

  private static List<ObjectNode> rules(@Nullable ObjectNode spec) {
    ArrayNode rules = Json.arrayAt(Json.objectAt(spec, "podFailurePolicy"), "rules");
    return rules == null
        ? List.of()
        : rules
            .valueStream()
            .filter(ObjectNode.class::isInstance)
            .map(ObjectNode.class::cast)
            .toList();
  }

  private static void dropFailIndexRules(ObjectNode spec) {
    ArrayNode rules = Json.arrayAt(Json.objectAt(spec, "podFailurePolicy"), "rules");
    if (rules == null) {
      return;
    }
    for (int i = rules.size() - 1; i >= 0; i--) {
      if ("FailIndex".equals(Json.text(rules.get(i), "action"))) {
        rules.remove(i);
      }
    }
  }
}
