package dev.stint.model.pod;

import dev.stint.model.field.At;
import dev.stint.model.field.Faults;
import dev.stint.model.meta.LabelSelectorRules;
import java.util.List;

/** Rules of {@code topologySpreadConstraints}. */
final class TopologySpreadRules {
  private static final List<String> ACTIONS = List.of("DoNotSchedule", "ScheduleAnyway");
  private static final List<String> NODE_POLICIES = List.of("Honor", "Ignore");

  private TopologySpreadRules() {}

  static void check(At constraints, Faults faults) {
    List<At> items = constraints.items();
    for (int i = 0; i < items.size(); i++) {
      constraint(items.get(i), faults);
      String key = key(items.get(i));
      if (items.subList(i + 1, items.size()).stream().anyMatch(later -> key(later).equals(key))) {
        faults.duplicate(
            items.get(i).path() + ".{topologyKey, whenUnsatisfiable}", "stands here twice");
      }
    }
  }

  private static String key(At constraint) {
    return constraint.get("topologyKey").text() + " " + constraint.get("whenUnsatisfiable").text();
  }

  private static void constraint(At constraint, Faults faults) {
    At skew = constraint.get("maxSkew");
    if (skew.count() <= 0) {
      faults.invalid(skew, skew.count() + " must be 1 or more");
    }
    At key = constraint.get("topologyKey");
    if (key.isEmpty()) {
      faults.required(key, "is needed");
    }
    At action = constraint.get("whenUnsatisfiable");
    faults.notSupportedUnlessIn(action, ACTIONS);
    At domains = constraint.get("minDomains");
    if (domains.exists() && domains.count() <= 0) {
      faults.invalid(domains, domains.count() + " must be 1 or more");
    }
    if (domains.exists() && !action.text().equals("DoNotSchedule")) {
      faults.invalid(domains, "is for whenUnsatisfiable DoNotSchedule only");
    }
    faults.notSupportedUnlessIn(constraint.get("nodeAffinityPolicy"), NODE_POLICIES);
    faults.notSupportedUnlessIn(constraint.get("nodeTaintsPolicy"), NODE_POLICIES);
    LabelSelectorRules.check(constraint.get("labelSelector"), faults);
    LabelKeyRules.check(constraint.get("matchLabelKeys"), constraint.get("labelSelector"), faults);
  }
}
