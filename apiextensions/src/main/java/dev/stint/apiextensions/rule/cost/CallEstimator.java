package dev.stint.apiextensions.rule.cost;

import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.ast.CelReference;
import dev.stint.apiextensions.rule.cost.CallCost.Counted;
import dev.stint.apiextensions.rule.cost.Estimated.Entries;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Estimates one call. A call whose form is known only as it runs costs as the dearest form. */
final class CallEstimator {
  private final CostEstimator estimator;
  private final CelExpr expr;
  private final CelCall call;
  private final List<CelExpr> operands = new ArrayList<>();
  private final List<Estimated> estimates = new ArrayList<>();

  CallEstimator(CostEstimator estimator, CelExpr expr) {
    this.estimator = estimator;
    this.expr = expr;
    this.call = expr.call();
    call.target().ifPresent(operands::add);
    operands.addAll(call.args());
    operands.forEach(operand -> estimates.add(estimator.of(operand)));
  }

  Estimated estimate() {
    List<String> forms =
        estimator.rule().getReference(expr.id()).map(CelReference::overloadIds).orElse(null);
    if (call.function().equals("dyn")) {
      Estimated value = estimates.getFirst();
      long cost = SaturatingMath.plus(1, value.cost());
      return estimator.known(expr, cost, estimator.computed(), value.size(), value.entries());
    }
    if (forms == null || forms.isEmpty()) {
      return estimator.known(expr, 0, estimator.computed(), null, null);
    }
    return switch (forms.getFirst()) {
      case "logical_and", "logical_or" ->
          estimator.known(expr, operandCost(), estimator.computed(), null, null);
      case "conditional" -> conditional();
      default -> function(forms);
    };
  }

  private long operandCost() {
    return estimates.stream().mapToLong(Estimated::cost).reduce(0, SaturatingMath::plus);
  }

  private Estimated conditional() {
    Estimated one = estimates.get(1);
    Estimated other = estimates.get(2);
    long cost =
        SaturatingMath.plus(estimates.getFirst().cost(), Math.max(one.cost(), other.cost()));
    Size size = one.sizeOrUnknown().or(other.sizeOrUnknown());
    Entries entries = Entries.either(one.entries(), other.entries());
    return estimator.known(expr, cost, estimator.computed(), size, entries);
  }

  private Estimated function(List<String> forms) {
    OperandEstimates sizes = new OperandEstimates(estimator, operands, estimates);
    long cost = 0;
    Size result = null;
    for (String form : forms) {
      Counted counted = CallCosts.of(call.function(), form).of(sizes);
      cost = Math.max(cost, counted.cost());
      result = either(result, counted.result());
    }
    cost = SaturatingMath.plus(cost, operandCost());
    if (forms.contains("index_list") || forms.contains("index_map")) {
      return element(cost);
    }
    Entries entries =
        forms.contains("add_list")
            ? Entries.either(estimates.get(0).entries(), estimates.get(1).entries())
            : null;
    return estimator.known(expr, cost, estimator.computed(), result, entries);
  }

  private static @Nullable Size either(@Nullable Size one, @Nullable Size other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return one.or(other);
  }

  private Estimated element(long cost) {
    Estimated container = estimates.getFirst();
    SizedPlace place = container.place().part(SizedType::elements);
    Entries entries = container.entries();
    return estimator.known(expr, cost, place, entries == null ? null : entries.values(), null);
  }
}
