package dev.stint.apiextensions.rule.library;

import dev.cel.common.ast.CelExpr;
import dev.cel.common.values.CelByteString;
import dev.cel.runtime.CelEvaluationListener;
import java.util.Collection;
import java.util.Map;

/**
 * Counts what one evaluation costs, and ends it at a limit. A step costs 1, and more if it looks at
 * long texts or many values.
 */
public final class CostMeter implements CelEvaluationListener {
  /** The meter of the evaluation that this thread makes. */
  private static final ScopedValue<CostMeter> CURRENT = ScopedValue.newInstance();

  /** A text of this many characters costs one step. */
  private static final int CHARACTERS = 10;

  private final long limit;
  private long cost;

  /** An evaluation is over its limit. */
  public static final class ExceededException extends RuntimeException {
    ExceededException() {
      super("operation cancelled: actual cost limit exceeded", null, false, false);
    }
  }

  /** A value that shows another one without a copy, so that it costs nothing to have it. */
  public interface View {}

  /** An evaluation. */
  public interface Evaluation<X extends Exception> {
    Object result() throws X;
  }

  public CostMeter(long limit) {
    this.limit = limit;
  }

  /** Evaluates something at the expense of this meter. */
  public <X extends Exception> Object meter(Evaluation<X> evaluation) throws X {
    return ScopedValue.where(CURRENT, this).call(evaluation::result);
  }

  public long cost() {
    return cost;
  }

  public boolean isExceeded() {
    return cost > limit;
  }

  /** Counts work that a function does now. */
  public static void charge(long steps) {
    if (CURRENT.isBound()) {
      CURRENT.get().add(steps);
    }
  }

  /** Counts the work of looking at a text of some length. */
  public static void chargeText(long characters) {
    charge(1 + characters / CHARACTERS);
  }

  @Override
  public void callback(CelExpr expression, Object value) {
    switch (expression.exprKind().getKind()) {
      case CONSTANT, COMPREHENSION -> {}
      case IDENT -> add(expression.ident().name().startsWith("@") ? 0 : 1);
      case CALL -> add(expression.call().function().startsWith("@") ? 0 : 1 + size(value));
      default -> add(1 + size(value));
    }
  }

  private static long size(Object value) {
    return switch (value) {
      case CharSequence text -> text.length() / CHARACTERS;
      case CelByteString bytes -> bytes.size() / CHARACTERS;
      case View _ -> 0;
      case Collection<?> list -> list.size() / CHARACTERS;
      case Map<?, ?> map -> map.size() / CHARACTERS;
      default -> 0;
    };
  }

  private void add(long steps) {
    cost += steps;
    if (cost > limit) {
      throw new ExceededException();
    }
  }
}
