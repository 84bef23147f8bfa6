package dev.stint.apiextensions.rule;

import dev.stint.apiextensions.rule.cost.MeteredProgram;
import dev.stint.apiextensions.schema.ValidationRule;
import org.jspecify.annotations.Nullable;

/**
 * A rule that can be evaluated.
 *
 * @param message makes the text of a fault; null if the rule has a fixed one
 * @param isTransition whether it compares with an earlier value
 */
record CompiledRule(
    ValidationRule source,
    MeteredProgram program,
    @Nullable MeteredProgram message,
    boolean isTransition) {

  /** True if it is evaluated without an earlier value too. */
  boolean takesOptional() {
    return Boolean.TRUE.equals(source.optionalOldSelf());
  }

  /** Returns the fixed text of a fault. */
  String text() {
    return hasMessage() ? name() : "failed rule: " + name();
  }

  /** Returns what names the rule: its message, or else itself. */
  String name() {
    String message = source.message();
    return message == null || message.isEmpty() ? source.rule().strip() : message.strip();
  }

  private boolean hasMessage() {
    return source.message() != null && !source.message().isEmpty();
  }
}
