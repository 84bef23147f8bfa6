package dev.stint.apiserver.selector;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One condition of a label selector.
 *
 * @param values the operands; one whole number for {@code ABOVE} and {@code BELOW}; empty for
 *     {@code PRESENT} and {@code ABSENT}
 */
record LabelTerm(String key, Operator operator, Set<String> values) {
  enum Operator {
    IN,
    /** Matches objects without the label, too. */
    NOT_IN,
    PRESENT,
    ABSENT,
    ABOVE,
    BELOW
  }

  boolean matches(Map<String, String> labels) {
    String value = labels.get(key);
    return switch (operator) {
      case IN -> value != null && values.contains(value);
      case NOT_IN -> value == null || !values.contains(value);
      case PRESENT -> value != null;
      case ABSENT -> value == null;
      case ABOVE -> order(value) > 0;
      case BELOW -> order(value) < 0;
    };
  }

  /**
   * Compares the label with the number; returns 0, which matches no operator, if it is not a
   * number.
   */
  private int order(@Nullable String value) {
    Long number = value == null ? null : number(value);
    Long bound = number(values.iterator().next());
    return number == null || bound == null ? 0 : number.compareTo(bound);
  }

  /** Returns the text as a whole number; null if it is not one. */
  static @Nullable Long number(String text) {
    try {
      return Long.valueOf(text);
    } catch (NumberFormatException noNumber) {
      return null;
    }
  }
}
