package dev.stint.model.kept;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import dev.stint.model.meta.LabelSelectorRules;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rules of pod disruption budgets. */
public final class DisruptionBudgetRules implements KeptRules {
  private static final List<String> COUNTS =
      List.of("disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods");

  /** Checks a name as Kubernetes does, which accepts any that fits into a path. */
  @Override
  public @Nullable String name(String name) {
    return Formats.pathSegment(name);
  }

  @Override
  public void checkStatus(FieldPath root, FieldErrors faults) {
    COUNTS.forEach(count -> faults.invalidIfNegative(root.get("status", count)));
  }

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
