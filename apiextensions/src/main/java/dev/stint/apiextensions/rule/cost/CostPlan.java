package dev.stint.apiextensions.rule.cost;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.ast.CelExpr.CelComprehension;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.ast.CelReference;
import dev.cel.common.types.CelKind;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Computes what the steps of a rule cost. Constants are free, as are lists, maps and conversions of
 * constants, since Kubernetes evaluates them once. This program evaluates them each time, at its
 * own expense. A chain of members is one step of the library here, and costs one for each member.
 */
final class CostPlan {
  private static final long LIST = 10;
  private static final long MAP = 30;
  private static final long OBJECT = 40;
  private static final Set<String> CONVERSIONS =
      Set.of(
          "bool",
          "bytes",
          "double",
          "duration",
          "dyn",
          "int",
          "string",
          "timestamp",
          "type",
          "uint");
  private static final Set<String> FREE = Set.of("_&&_", "_||_", "_?_:_", "or", "orValue");
  private static final Set<String> INDEXES = Set.of("_[_]", "_[?_]", "_?._");

  private final CelAbstractSyntaxTree rule;
  private final Map<Integer, Long> fixed = new HashMap<>();
  private final Map<Integer, Integer> parts = new HashMap<>();

  /** The slots of expressions whose values calls need, from one on. */
  private final Map<Integer, Integer> slots = new HashMap<>();

  private final Map<Integer, StepCosts.Call> calls = new HashMap<>();
  private final BitSet optional = new BitSet();
  private final BitSet doubled = new BitSet();
  private final BitSet constants = new BitSet();
  private int last;

  CostPlan(CelAbstractSyntaxTree rule) {
    this.rule = rule;
  }

  StepCosts costs() {
    plan(rule.getExpr());
    long[] costs = new long[last + 1];
    fixed.forEach((id, cost) -> costs[id] = cost);
    int[] sizes = new int[last + 1];
    parts.forEach((id, count) -> sizes[id] = count);
    int[] places = new int[last + 1];
    slots.forEach((id, slot) -> places[id] = slot);
    StepCosts.Call[] found = new StepCosts.Call[last + 1];
    calls.forEach((id, call) -> found[id] = call);
    return new StepCosts(costs, sizes, places, found, optional, doubled);
  }

  private static int id(CelExpr expr) {
    return (int) expr.id();
  }

  private void plan(CelExpr expr) {
    last = Math.max(last, id(expr));
    switch (expr.getKind()) {
      case CONSTANT -> constants.set(id(expr));
      case IDENT -> variable(expr);
      case SELECT -> members(expr);
      case CALL -> call(expr, expr.call());
      case LIST -> container(expr, expr.list().elements(), LIST);
      case MAP -> {
        List<CelExpr> elements = new ArrayList<>();
        expr.map()
            .entries()
            .forEach(entry -> {
              elements.add(entry.key());
              elements.add(entry.value());
            });
        container(expr, elements, MAP);
      }
      case STRUCT -> {
        expr.struct().entries().forEach(entry -> plan(entry.value()));
        fix(expr, OBJECT);
      }
      case COMPREHENSION -> loop(expr.comprehension());
      case NOT_SET -> {}
    }
  }

  private void fix(CelExpr expr, long cost) {
    fixed.put(id(expr), cost);
  }

  private void variable(CelExpr expr) {
    if (rule.getType(expr.id()).map(type -> type.kind() == CelKind.TYPE).orElse(false)) {
      constants.set(id(expr));
    } else {
      fix(expr, 1);
    }
  }

  private void members(CelExpr expr) {
    CelExpr base = expr;
    long cost = expr.select().testOnly() ? -1 : 0;
    while (base.getKind() == Kind.SELECT) {
      cost++;
      base = base.select().operand();
    }
    if (base.getKind() == Kind.IDENT) {
      cost++;
    } else {
      plan(base);
      cost += isPart(base) ? 0 : 1;
    }
    fix(expr, cost);
    doubled.set(id(expr), expr.select().testOnly());
  }

  /** True for a part of an object, the search of which goes on with members of it. */
  private static boolean isPart(CelExpr expr) {
    return switch (expr.getKind()) {
      case IDENT, SELECT -> true;
      case CALL ->
          INDEXES.contains(expr.call().function()) || expr.call().function().equals("_?_:_");
      default -> false;
    };
  }

  private void container(CelExpr expr, List<CelExpr> elements, long cost) {
    elements.forEach(this::plan);
    parts.put(id(expr), elements.size());
    if (elements.stream().allMatch(this::isConstant)) {
      constants.set(id(expr));
    } else {
      fix(expr, cost);
    }
  }

  private boolean isConstant(CelExpr expr) {
    return constants.get(id(expr));
  }

  private void loop(CelComprehension loop) {
    plan(loop.iterRange());
    plan(loop.accuInit());
    plan(loop.loopCondition());
    plan(loop.loopStep());
    plan(loop.result());
  }

  private void call(CelExpr expr, CelCall call) {
    List<CelExpr> operands = new ArrayList<>();
    call.target().ifPresent(operands::add);
    operands.addAll(call.args());
    operands.forEach(this::plan);
    String function = call.function();
    if (INDEXES.contains(function)) {
      index(expr, function, operands.get(0), operands.get(1));
    } else if (FREE.contains(function)) {
      operands.stream().skip(function.equals("_?_:_") ? 1 : 3).forEach(this::branch);
    } else if (CONVERSIONS.contains(function) && operands.stream().allMatch(this::isConstant)) {
      constants.set(id(expr));
    } else if (!function.equals("@in") || !isKnownSet(operands.get(1))) {
      counted(expr, function, operands);
    }
  }

  private void index(CelExpr expr, String function, CelExpr container, CelExpr key) {
    boolean isFree = isPart(key) && !isConstant(key);
    fix(expr, (isFree ? 0 : 1) + (isPart(container) ? 0 : 1));
    optional.set(id(expr), !function.equals("_[_]"));
    doubled.set(id(expr), function.equals("_?._"));
  }

  /**
   * Takes the first step from an alternative of a condition: it is looked up with the condition.
   */
  private void branch(CelExpr expr) {
    if (isPart(expr) && !isConstant(expr) && fixed.getOrDefault(id(expr), 0L) > 0) {
      fixed.merge(id(expr), -1L, Long::sum);
    }
  }

  /** True for a constant list in which items are found at once. */
  private boolean isKnownSet(CelExpr expr) {
    return isConstant(expr)
        && expr.getKind() == Kind.LIST
        && expr.list().elements().stream().allMatch(item -> item.getKind() == Kind.CONSTANT);
  }

  private void counted(CelExpr expr, String function, List<CelExpr> operands) {
    List<String> forms =
        rule.getReference(expr.id()).map(CelReference::overloadIds).map(List::copyOf).orElse(null);
    String form = forms != null && forms.size() == 1 ? forms.getFirst() : "";
    CallCost cost = CallCosts.of(function, form);
    if (cost == CallCost.ONE) {
      fix(expr, 1);
    } else {
      int[] places = operands.stream().mapToInt(this::slot).toArray();
      calls.put(id(expr), new StepCosts.Call(cost, places));
    }
  }

  private int slot(CelExpr operand) {
    slots.putIfAbsent(id(operand), slots.size() + 1);
    return slots.getOrDefault(id(operand), 0) - 1;
  }
}
