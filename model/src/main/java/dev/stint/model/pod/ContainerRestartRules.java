package dev.stint.model.pod;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import java.util.List;

/** Rules of a container's own restart policy (KEP-5307, Proposal). */
final class ContainerRestartRules {
  private static final int MAX_RULES = 20;
  private static final int MAX_VALUES = 255;
  private static final List<String> POLICIES = List.of("Always", "Never", "OnFailure");
  private static final List<String> ACTIONS = List.of("Restart", "RestartAllContainers");
  private static final List<String> OPERATORS = List.of("In", "NotIn");

  private ContainerRestartRules() {}

  static void check(FieldPath container, FieldErrors faults) {
    FieldPath policy = container.get("restartPolicy");
    faults.notSupportedUnlessIn(policy, POLICIES);
    FieldPath rules = container.get("restartPolicyRules");
    if (rules.isEmpty()) {
      return;
    }
    if (!policy.exists()) {
      faults.required(policy, "is required with restartPolicyRules");
    }
    if (rules.items().size() > MAX_RULES) {
      faults.tooMany(rules.path(), rules.items().size(), MAX_RULES);
    }
    rules.items().forEach(rule -> rule(rule, faults));
  }

  private static void rule(FieldPath rule, FieldErrors faults) {
    faults.notSupportedUnlessIn(rule.get("action"), ACTIONS);
    FieldPath exitCodes = rule.get("exitCodes");
    if (!exitCodes.exists()) {
      faults.required(exitCodes, "is required");
      return;
    }
    faults.notSupportedUnlessIn(exitCodes.get("operator"), OPERATORS);
    FieldPath values = exitCodes.get("values");
    if (values.items().size() > MAX_VALUES) {
      faults.tooMany(values.path(), values.items().size(), MAX_VALUES);
    }
  }
}
