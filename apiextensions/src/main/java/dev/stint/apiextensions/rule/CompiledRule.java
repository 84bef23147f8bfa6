package dev.stint.apiextensions.rule;

import dev.cel.runtime.CelRuntime.Program;
import dev.stint.apiextensions.schema.ValidationRule;
import org.jspecify.annotations.Nullable;

/**
 * A rule that can be evaluated.
 *
 * @param message makes the text of a fault; null if the rule has a fixed one
 * @param isTransition whether it compares with an earlier value
 */
record CompiledRule(
    ValidationRule source, Program program, @Nullable Program message, boolean isTransition) {

  /** True if it is evaluated without an earlier value too. */
  boolean takesOptional() {
    return Boolean.TRUE.equals(source.optionalOldSelf());
  }

  /** Returns the fixed text of a fault. */
  String text() {
    return source.message() == null
        ? "failed rule: " + source.rule().strip()
        : source.message().strip();
  }
}
