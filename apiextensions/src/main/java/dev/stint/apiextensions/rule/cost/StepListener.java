package dev.stint.apiextensions.rule.cost;

import dev.cel.common.ast.CelExpr;
import dev.cel.runtime.CelEvaluationListener;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Counts the steps of one evaluation. */
final class StepListener implements CelEvaluationListener {
  private final CostMeter meter;
  private final StepCosts steps;
  private final @Nullable Object[] values;
  private int last;

  StepListener(CostMeter meter, StepCosts steps) {
    this.meter = meter;
    this.steps = steps;
    this.values = new Object[steps.slots()];
  }

  @Override
  public void callback(CelExpr expression, Object value) {
    int id = (int) expression.id();
    if (id >= steps.count() || id == last && steps.isDoubled(id)) {
      return;
    }
    last = id;
    int slot = steps.slot(id);
    if (slot >= 0) {
      values[slot] = value;
    }
    if (steps.parts(id) > 0) {
      meter.addWork(steps.parts(id));
    }
    StepCosts.Call call = steps.call(id);
    if (call != null) {
      meter.add(call.cost().of(operands(call, value)).cost());
    } else if (steps.fixed(id) > 0) {
      boolean isAbsent = steps.isOptional(id) && value instanceof Optional<?> o && o.isEmpty();
      meter.add(steps.fixed(id) - (isAbsent ? 1 : 0));
    }
  }

  private OperandValues operands(StepCosts.Call call, Object result) {
    Object[] operands = new Object[call.operands().length];
    for (int i = 0; i < operands.length; i++) {
      operands[i] = values[call.operands()[i]];
    }
    return new OperandValues(operands, result);
  }
}
