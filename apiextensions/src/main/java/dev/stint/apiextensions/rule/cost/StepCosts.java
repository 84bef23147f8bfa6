package dev.stint.apiextensions.rule.cost;

import dev.cel.common.CelAbstractSyntaxTree;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** What each step of a rule costs while it runs, by the number of its expression. Immutable. */
public final class StepCosts {
  private final long[] fixed;
  private final @Nullable Call[] calls;
  private final BitSet optional;
  private final BitSet doubled;

  /**
   * A call whose cost depends on its operands.
   *
   * @param operands the numbers of their expressions
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Call(CallCost cost, int[] operands) {}

  StepCosts(long[] fixed, @Nullable Call[] calls, BitSet optional, BitSet doubled) {
    this.fixed = fixed;
    this.calls = calls;
    this.optional = optional;
    this.doubled = doubled;
  }

  static StepCosts of(CelAbstractSyntaxTree rule) {
    return new StepPlan(rule).costs();
  }

  int count() {
    return fixed.length;
  }

  /** Returns what an expression costs, without its parts. */
  long fixed(int id) {
    return fixed[id];
  }

  /** Returns the call that an expression is; null if its cost is fixed. */
  @Nullable Call call(int id) {
    return calls[id];
  }

  /** True for a step of which the library tells twice. */
  boolean isDoubled(int id) {
    return doubled.get(id);
  }

  /** True for the search of a member that costs nothing if there is none. */
  boolean isOptional(int id) {
    return optional.get(id);
  }
}
