package dev.stint.apiextensions.rule;

import dev.cel.common.types.CelType;
import java.util.List;
import java.util.Map;

/** What rules see of the values of a node of a schema. */
sealed interface RuleType {
  CelType celType();

  /**
   * A value without parts.
   *
   * @param format the format of a text; "" for none
   */
  record Scalar(CelType celType, String format) implements RuleType {}

  /**
   * An object with members that are known by name.
   *
   * @param fields the members by the names that rules use
   * @param primary the names that stand for a member each, without second names
   */
  record ObjectOf(CelType celType, Map<String, Field> fields, List<String> primary)
      implements RuleType {}

  /** A member of an object, by its name in JSON. */
  record Field(String member, RuleType type) {}

  /** A map from texts to values of one type. */
  record MapOf(CelType celType, RuleType values) implements RuleType {}

  /** A list. Sets, and lists that are maps, compare without order. */
  record ListOf(CelType celType, RuleType items, Order order, List<String> keys)
      implements RuleType {}

  /** What tells the items of a list apart. */
  enum Order {
    /** Their places. */
    ATOMIC,
    /** Their values. */
    SET,
    /** The values of their keys. */
    MAP
  }
}
