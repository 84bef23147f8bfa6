package dev.stint.apiextensions.rule.cost;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.runtime.CelRuntime.Program;

/** A program, and what its steps cost. */
public record MeteredProgram(Program program, StepCosts steps) {
  /** Returns the program of a checked rule. */
  public static MeteredProgram of(Program program, CelAbstractSyntaxTree rule) {
    return new MeteredProgram(program, StepCosts.of(rule));
  }
}
