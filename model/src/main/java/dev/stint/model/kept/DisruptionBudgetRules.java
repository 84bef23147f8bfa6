package dev.stint.model.kept;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.meta.LabelSelectorRules;

/** Rules of pod disruption budgets. */
public final class DisruptionBudgetRules implements KeptRules {
  @Override
  public void check(FieldPath root, FieldErrors faults) {
    FieldPath spec = root.get("spec");
    if (spec.get("minAvailable").exists() && spec.get("maxUnavailable").exists()) {
      faults.invalid(spec, "minAvailable and maxUnavailable cannot be both set");
    }
    amount(spec.get("minAvailable"), faults);
    amount(spec.get("maxUnavailable"), faults);
    LabelSelectorRules.check(spec.get("selector"), faults);
  }

  /** Checks a number of pods, or a percentage of at most 100. */
  private static void amount(FieldPath amount, FieldErrors faults) {
    if (!amount.exists()) {
      return;
    }
    if (!amount.node().isString()) {
      faults.invalidIfNegative(amount);
    } else if (!amount.text().matches("[0-9]+%")) {
      faults.invalid(amount, "a valid percent string must be a number with a '%' (e.g. '93%')");
    } else if (amount.text().length() > 4
        || Integer.parseInt(amount.text().substring(0, amount.text().length() - 1)) > 100) {
      faults.invalid(amount, "must not be greater than 100%");
    }
  }
}
