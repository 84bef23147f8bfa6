package dev.stint.apiextensions.rule.cost;

import org.jspecify.annotations.Nullable;

/** The rule by which the calls of one function are counted. */
interface CallCost {
  /** Any call that takes the same time whatever it works on. */
  CallCost ONE = operands -> new Counted(1, null);

  Counted of(Operands operands);

  /**
   * A call that has been counted.
   *
   * @param cost what it costs at most, without its operands
   * @param result the size of its result; null if the rule does not say
   */
  record Counted(long cost, @Nullable Size result) {}
}
