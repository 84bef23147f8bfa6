package dev.stint.model.pod;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.meta.LabelSelectorRules;
import java.util.List;

/** Rules of {@code topologySpreadConstraints}. */
final class TopologySpreadRules {
  private static final List<String> ACTIONS = List.of("DoNotSchedule", "ScheduleAnyway");
  private static final List<String> NODE_POLICIES = List.of("Honor", "Ignore");

  private TopologySpreadRules() {}

  static void check(FieldPath constraints, FieldErrors faults) {
    List<FieldPath> items = constraints.items();
    for (int i = 0; i < items.size(); i++) {
      constraint(items.get(i), faults);
      String key = key(items.get(i));
      if (items.subList(i + 1, items.size()).stream().anyMatch(later -> key(later).equals(key))) {
        faults.duplicate(items.get(i).path() + ".{topologyKey, whenUnsatisfiable}", "occurs twice");
      }
    }
  }

  private static String key(FieldPath constraint) {
    return constraint.get("topologyKey").text() + " " + constraint.get("whenUnsatisfiable").text();
  }

  private static void constraint(FieldPath constraint, FieldErrors faults) {
    FieldPath skew = constraint.get("maxSkew");
    if (skew.count() <= 0) {
      faults.invalid(skew, skew.count() + " must be 1 or more");
    }
    FieldPath key = constraint.get("topologyKey");
    if (key.isEmpty()) {
      faults.required(key, "is required");
    }
    FieldPath action = constraint.get("whenUnsatisfiable");
    faults.notSupportedUnlessIn(action, ACTIONS);
    FieldPath domains = constraint.get("minDomains");
    if (domains.exists() && domains.count() <= 0) {
      faults.invalid(domains, domains.count() + " must be 1 or more");
    }
    if (domains.exists() && !action.text().equals("DoNotSchedule")) {
      faults.invalid(domains, "is only allowed for whenUnsatisfiable DoNotSchedule");
    }
    faults.notSupportedUnlessIn(constraint.get("nodeAffinityPolicy"), NODE_POLICIES);
    faults.notSupportedUnlessIn(constraint.get("nodeTaintsPolicy"), NODE_POLICIES);
    LabelSelectorRules.check(constraint.get("labelSelector"), faults);
    LabelKeyRules.check(constraint.get("matchLabelKeys"), constraint.get("labelSelector"), faults);
  }
}
