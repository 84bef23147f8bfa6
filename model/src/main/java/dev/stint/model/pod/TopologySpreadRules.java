package dev.stint.model.pod;

import dev.stint.model.field.At;
import dev.stint.model.field.Faults;
import dev.stint.model.field.Formats;
import dev.stint.model.meta.LabelSelectorRules;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Rules of {@code topologySpreadConstraints}. */
final class TopologySpreadRules {
  private static final List<String> ACTIONS = List.of("DoNotSchedule", "ScheduleAnyway");
  private static final List<String> NODE_POLICIES = List.of("Honor", "Ignore");

  private TopologySpreadRules() {}

  static void check(At constraints, Faults faults) {
    Set<String> seen = new HashSet<>();
    for (At constraint : constraints.items()) {
      constraint(constraint, faults);
      String key = constraint.get("topologyKey").text();
      if (!seen.add(key + " " + constraint.get("whenUnsatisfiable").text())) {
        faults.duplicate(
            constraint.path() + ".{topologyKey, whenUnsatisfiable}", "stands here twice");
      }
    }
  }

  private static void constraint(At constraint, Faults faults) {
    At skew = constraint.get("maxSkew");
    if (skew.count() <= 0) {
      faults.invalid(skew, skew.count() + " must be 1 or more");
    }
    At key = constraint.get("topologyKey");
    if (key.isEmpty()) {
      faults.required(key, "is needed");
    } else {
      faults.invalidUnlessSound(key, Formats.qualifiedName(key.text()));
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
  }
}
