package dev.stint.apiextensions.rule.cost;

import dev.cel.runtime.CelEvaluationException;
import java.util.Map;

/**
 * Counts what evaluations cost, as Kubernetes does, and ends them at a limit. It counts apart from
 * that what functions work, so that no single step takes long.
 */
public final class CostMeter {
  /** The meter of the evaluation that this thread makes. */
  private static final ScopedValue<CostMeter> CURRENT = ScopedValue.newInstance();

  /** A text of this many characters is one unit of work. */
  private static final int CHARACTERS = 10;

  /** A step of Kubernetes may work so much: comparing two lists is one step there. */
  private static final int WORK_OF_A_STEP = 4;

  /** Making room for this many operands is worth a step. */
  private static final int SLOTS = 32;

  private final long limit;
  private long cost;
  private long work;

  /** An evaluation is over its limit. */
  public static final class ExceededException extends RuntimeException {
    ExceededException() {
      super("operation cancelled: actual cost limit exceeded", null, false, false);
    }
  }

  public CostMeter(long limit) {
    this.limit = limit;
  }

  /**
   * Evaluates a program at the expense of this meter. It is worth a step even if it is a constant.
   */
  public Object evaluate(MeteredProgram program, Map<String, Object> variables)
      throws CelEvaluationException {
    StepCosts steps = program.steps();
    work = SaturatingMath.plus(work, (1L + steps.slots() / SLOTS) * WORK_OF_A_STEP);
    StepListener listener = new StepListener(this, steps);
    return ScopedValue.where(CURRENT, this)
        .<Object, CelEvaluationException>call(() -> program.program().trace(variables, listener));
  }

  /** Returns the cost of all steps until now, as Kubernetes counts it. */
  public long cost() {
    return cost;
  }

  /** Returns the cost, or what the work is worth, if that is more. */
  public long spent() {
    return Math.max(cost, work / WORK_OF_A_STEP);
  }

  public boolean isExceeded() {
    return spent() > limit;
  }

  /** Counts work that a function does now. */
  public static void charge(long units) {
    if (CURRENT.isBound()) {
      CURRENT.get().addWork(units);
    }
  }

  /** Counts work by the number of steps that it is worth. */
  public static void chargeSteps(long steps) {
    charge(SaturatingMath.times(steps, WORK_OF_A_STEP));
  }

  /** Counts the work of looking at a text of some length. */
  public static void chargeText(long characters) {
    charge(1 + characters / CHARACTERS);
  }

  void add(long steps) {
    cost = SaturatingMath.plus(cost, steps);
    check();
  }

  void addWork(long units) {
    work = SaturatingMath.plus(work, units);
    check();
  }

  private void check() {
    if (isExceeded()) {
      throw new ExceededException();
    }
  }
}
