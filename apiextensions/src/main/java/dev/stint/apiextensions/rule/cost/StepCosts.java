package dev.stint.apiextensions.rule.cost;

import dev.cel.common.CelAbstractSyntaxTree;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** The cost of each step of a running rule, by the number of its expression. Immutable. */
public final class StepCosts {
  private final long[] fixed;
  private final int[] parts;
  private final int[] slots;
  private final int slotCount;
  private final @Nullable Call[] calls;
  private final BitSet optional;
  private final BitSet doubled;

  /**
   * A call whose cost depends on its operands.
   *
   * @param operands the slots of their values
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Call(CallCost cost, int[] operands) {}

  StepCosts(
      long[] fixed,
      int[] parts,
      int[] slots,
      @Nullable Call[] calls,
      BitSet optional,
      BitSet doubled) {
    this.fixed = fixed;
    this.parts = parts;
    this.slots = slots;
    this.slotCount = Arrays.stream(slots).max().orElse(0);
    this.calls = calls;
    this.optional = optional;
    this.doubled = doubled;
  }

  static StepCosts of(CelAbstractSyntaxTree rule) {
    return new CostPlan(rule).costs();
  }

  int count() {
    return fixed.length;
  }

  /** Returns what an expression costs, without its parts. */
  long fixed(int id) {
    return fixed[id];
  }

  /**
   * Returns how many parts a list or a map is made of, which is work even if they are constants.
   */
  int parts(int id) {
    return parts[id];
  }

  /** Returns the slot that keeps the value of an expression; -1 if no call needs it. */
  int slot(int id) {
    return slots[id] - 1;
  }

  /** Returns how many slots there are. */
  int slots() {
    return slotCount;
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
