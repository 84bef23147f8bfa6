package dev.stint.apiextensions.rule;

import dev.stint.apiextensions.schema.ValidationRule;

/**
 * A rule of a stored schema that does not compile any more. No value holds by it.
 *
 * @param why what the compiler says
 */
record BrokenRule(ValidationRule source, String why) {
  /** Returns the text of its faults. */
  String text() {
    return "rule compile error: "
        + why.lines().findFirst().orElse("")
        + ": rule: "
        + source.rule().strip()
        + ": correct the rule in the CustomResourceDefinition";
  }
}
