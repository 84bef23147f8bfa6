package dev.stint.apiextensions.rule;

import dev.stint.apiextensions.rule.cost.SaturatingMath;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldErrors;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** The estimated costs of the rules of a schema; refuses rules that cost too much. */
final class RuleCosts {
  /** The number of the most expensive rules that a fault names if all together cost too much. */
  private static final int NAMED = 4;

  private static final long SHARE_OF_NAMED = 100;
  private static final double LARGE_FACTOR = 100;
  private static final double SMALL_FACTOR = 1.5;

  private final CostLimits limits;
  private final FieldErrors faults;
  private final List<Expense> expenses = new ArrayList<>();
  private long total;

  private record Expense(String path, long cost) {}

  RuleCosts(CostLimits limits, FieldErrors faults) {
    this.limits = limits;
    this.faults = faults;
  }

  /** Adds a rule, or the expression of a message. */
  void add(String path, String what, long cost) {
    if (cost > limits.ofRule()) {
      forbid(path, "estimated " + what + " cost" + excess(cost, limits.ofRule()));
    }
    total = SaturatingMath.plus(total, cost);
    if (cost >= limits.ofSchema() / SHARE_OF_NAMED) {
      expenses.add(new Expense(path, cost));
    }
  }

  /** Checks the total. */
  void check(String schemaPath) {
    if (total <= limits.ofSchema()) {
      return;
    }
    expenses.stream()
        .sorted(Comparator.comparingLong(Expense::cost).reversed())
        .limit(NAMED)
        .forEach(expense ->
            forbid(
                expense.path(),
                "contributed to estimated rule cost total exceeding cost limit for entire"
                    + " OpenAPIv3 schema"));
    forbid(
        schemaPath,
        "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema"
            + excess(total, limits.ofSchema()));
  }

  private void forbid(String path, String detail) {
    faults.addAll(List.of(new FieldError(path, FieldError.Type.FORBIDDEN, detail, null)));
  }

  private static String excess(long cost, long limit) {
    return " exceeds budget by factor of "
        + factor((double) cost / limit)
        + " (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where"
        + " arrays, maps, and strings are declared)";
  }

  private static String factor(double factor) {
    if (factor > LARGE_FACTOR) {
      return "more than 100x";
    }
    return String.format(Locale.ROOT, factor < SMALL_FACTOR ? "%fx" : "%.1fx", factor);
  }
}
