package dev.stint.apiextensions.rule.cost;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelComprehension;
import dev.cel.common.ast.CelExpr.CelMap;
import dev.cel.common.ast.CelExpr.CelSelect;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.stint.apiextensions.rule.cost.Estimated.Entries;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Estimates what a rule costs at most, in the units of Kubernetes: a step costs 1, to make a list
 * 10, a map 30, an object 40. A loop costs its body as often as its list may have items.
 */
public final class CostEstimator {
  private static final long LIST = 10;
  private static final long MAP = 30;
  private static final long OBJECT = 40;

  private final CelAbstractSyntaxTree rule;
  private final SizedType root;
  private final Map<String, Deque<Estimated>> variables = new HashMap<>();

  private CostEstimator(CelAbstractSyntaxTree rule, SizedType root) {
    this.rule = rule;
    this.root = root;
  }

  /**
   * Returns what a checked rule costs at most.
   *
   * @param root the type of {@code self}
   */
  public static long estimate(CelAbstractSyntaxTree rule, SizedType root) {
    return new CostEstimator(rule, root).of(rule.getExpr()).cost();
  }

  Estimated of(CelExpr expr) {
    return switch (expr.getKind()) {
      case CONSTANT ->
          known(expr, 0, SizedPlace.computed(root), constantSize(expr.constant()), null);
      case IDENT -> variable(expr);
      case SELECT -> member(expr, expr.select());
      case CALL -> new CallEstimator(this, expr).estimate();
      case LIST -> list(expr);
      case MAP -> map(expr, expr.map());
      case STRUCT -> object(expr);
      case COMPREHENSION -> loop(expr, expr.comprehension());
      case NOT_SET -> known(expr, 0, SizedPlace.computed(root), null, null);
    };
  }

  /** Returns an estimate whose size, if it is not given, is that of its place or of its type. */
  Estimated known(
      CelExpr expr, long cost, SizedPlace place, @Nullable Size size, @Nullable Entries entries) {
    Size found = size == null ? place.size() : size;
    return new Estimated(
        cost, place, found == null && isScalar(type(expr)) ? Size.ONE : found, entries);
  }

  CelType type(CelExpr expr) {
    return rule.getType(expr.id()).orElse(SimpleType.DYN);
  }

  CelAbstractSyntaxTree rule() {
    return rule;
  }

  SizedPlace computed() {
    return SizedPlace.computed(root);
  }

  private static boolean isScalar(CelType type) {
    return switch (type.kind()) {
      case BOOL, DOUBLE, DURATION, INT, TIMESTAMP, UINT -> true;
      case OPAQUE ->
          type.name().equals(OptionalType.NAME) && isScalar(type.parameters().getFirst());
      default -> false;
    };
  }

  private static Size constantSize(CelConstant constant) {
    return switch (constant.getKind()) {
      case STRING_VALUE -> {
        String text = constant.stringValue();
        yield Size.exactly(text.codePointCount(0, text.length()));
      }
      case BYTES_VALUE -> Size.exactly(constant.bytesValue().size());
      default -> Size.ONE;
    };
  }

  private Estimated variable(CelExpr expr) {
    Deque<Estimated> bound = variables.get(expr.ident().name());
    if (bound == null || bound.isEmpty()) {
      return known(expr, 1, SizedPlace.whole(root), null, null);
    }
    Estimated value = bound.getLast();
    Estimated found = known(expr, 1, value.place(), null, value.entries());
    return found.size() == null
        ? new Estimated(1, found.place(), value.size(), value.entries())
        : found;
  }

  private Estimated member(CelExpr expr, CelSelect select) {
    Estimated object = of(select.operand());
    if (select.testOnly()) {
      return known(expr, object.cost(), computed(), null, null);
    }
    CelKind kind = type(select.operand()).kind();
    boolean isStep = kind == CelKind.MAP || kind == CelKind.STRUCT || kind == CelKind.TYPE_PARAM;
    SizedPlace place = object.place().part(type -> type.member(select.field()));
    return known(expr, SaturatingMath.plus(object.cost(), isStep ? 1 : 0), place, null, null);
  }

  private Estimated list(CelExpr expr) {
    long cost = LIST;
    Size items = null;
    for (CelExpr element : expr.list().elements()) {
      Estimated item = of(element);
      cost = SaturatingMath.plus(cost, item.cost());
      items = items == null ? item.sizeOrUnknown() : items.or(item.sizeOrUnknown());
    }
    Entries entries = new Entries(true, Size.ONE, items == null ? Size.exactly(0) : items);
    return known(expr, cost, computed(), Size.exactly(expr.list().elements().size()), entries);
  }

  private Estimated map(CelExpr expr, CelMap map) {
    long cost = MAP;
    Entries entries = null;
    for (CelMap.Entry entry : map.entries()) {
      Estimated key = of(entry.key());
      Estimated value = of(entry.value());
      cost = SaturatingMath.plus(cost, SaturatingMath.plus(key.cost(), value.cost()));
      Entries own = new Entries(false, key.sizeOrUnknown(), value.sizeOrUnknown());
      entries = entries == null ? own : Entries.either(entries, own);
    }
    Entries all = entries == null ? new Entries(false, Size.exactly(0), Size.exactly(0)) : entries;
    return known(expr, cost, computed(), Size.exactly(map.entries().size()), all);
  }

  private Estimated object(CelExpr expr) {
    long cost = OBJECT;
    for (CelExpr.CelStruct.Entry entry : expr.struct().entries()) {
      cost = SaturatingMath.plus(cost, of(entry.value()).cost());
    }
    return known(expr, cost, computed(), null, null);
  }

  private Estimated loop(CelExpr expr, CelComprehension loop) {
    Estimated range = of(loop.iterRange());
    Estimated start = of(loop.accuInit());
    long before = SaturatingMath.plus(range.cost(), start.cost());
    if (isBinding(loop)) {
      Estimated result = with(loop.accuVar(), start, loop.result());
      return known(
          expr,
          SaturatingMath.plus(before, result.cost()),
          computed(),
          result.size(),
          result.entries());
    }
    bind(loop.accuVar(), start);
    bindItems(loop, range);
    long condition = of(loop.loopCondition()).cost();
    Estimated step = of(loop.loopStep());
    unbindItems(loop);
    long after = of(loop.result()).cost();
    unbind(loop.accuVar());
    long once = SaturatingMath.plus(condition, step.cost());
    long all = SaturatingMath.times(range.sizeOrUnknown().max(), once);
    long cost = SaturatingMath.plus(SaturatingMath.plus(before, after), all);
    return switch (loop.accuInit().getKind()) {
      case CONSTANT -> known(expr, cost, computed(), start.size(), null);
      case LIST, MAP -> known(expr, cost, computed(), range.sizeOrUnknown(), step.entries());
      default -> known(expr, cost, computed(), null, null);
    };
  }

  /** True for a loop that only names a value, such as {@code optMap} makes. */
  private static boolean isBinding(CelComprehension loop) {
    CelExpr condition = loop.loopCondition();
    return loop.iterRange().getKind() == CelExpr.ExprKind.Kind.LIST
        && loop.iterRange().list().elements().isEmpty()
        && condition.getKind() == CelExpr.ExprKind.Kind.CONSTANT
        && condition.constant().getKind() == CelConstant.Kind.BOOLEAN_VALUE
        && !condition.constant().booleanValue();
  }

  private Estimated with(String variable, Estimated value, CelExpr expr) {
    bind(variable, value);
    Estimated found = of(expr);
    unbind(variable);
    return found;
  }

  private void bindItems(CelComprehension loop, Estimated range) {
    Entries entries = range.entries();
    boolean isList =
        entries == null ? type(loop.iterRange()).kind() == CelKind.LIST : entries.isList();
    SizedPlace values = range.place().part(SizedType::elements);
    SizedPlace keys = range.place().part(type -> isList ? null : type.keys());
    Size valueSize = entries == null ? null : entries.values();
    Size keySize = entries == null ? null : entries.keys();
    if (!loop.iterVar2().isEmpty()) {
      bind(loop.iterVar(), new Estimated(0, keys, keySize, null));
      bind(loop.iterVar2(), new Estimated(0, values, valueSize, null));
    } else if (isList) {
      bind(loop.iterVar(), new Estimated(0, values, valueSize, null));
    } else {
      bind(loop.iterVar(), new Estimated(0, keys, keySize, null));
    }
  }

  private void unbindItems(CelComprehension loop) {
    unbind(loop.iterVar());
    if (!loop.iterVar2().isEmpty()) {
      unbind(loop.iterVar2());
    }
  }

  private void bind(String variable, Estimated value) {
    variables.computeIfAbsent(variable, _ -> new ArrayDeque<>()).addLast(value);
  }

  private void unbind(String variable) {
    variables.getOrDefault(variable, new ArrayDeque<>()).removeLast();
  }
}
