package dev.stint.apiextensions.rule;

import dev.cel.common.types.CelType;
import dev.stint.apiextensions.rule.cost.SizedType;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The type that rules see for the values of a node of a schema. */
sealed interface RuleType extends SizedType {
  /** The bytes of {@code {}}, {@code []} and {@code ""}. */
  long EMPTY_BYTES = 2;

  CelType celType();

  @Override
  default @Nullable RuleType elements() {
    return null;
  }

  @Override
  default @Nullable RuleType keys() {
    return null;
  }

  @Override
  default @Nullable RuleType member(String name) {
    return null;
  }

  /**
   * A value without parts.
   *
   * @param format the format of a text; "" for none
   * @param maxElements the characters of a text, at most; 0 for other values
   */
  record Scalar(CelType celType, String format, long maxElements, long minBytes)
      implements RuleType {}

  /**
   * An object with members that are known by name.
   *
   * @param fields the members by the names that rules use
   * @param names the names that rules use by those of the members
   */
  record ObjectOf(
      CelType celType, Map<String, Field> fields, Map<String, String> names, long minBytes)
      implements RuleType {

    /** Returns 0: as in Kubernetes, the size of an object does not count. */
    @Override
    public long maxElements() {
      return 0;
    }

    @Override
    public @Nullable RuleType member(String name) {
      Field field = fields.get(name);
      return field == null ? null : field.type();
    }
  }

  /** A member of an object, by its name in JSON. */
  record Field(String member, RuleType type) {}

  /** A map from texts to values of one type. */
  record MapOf(CelType celType, RuleType keys, RuleType elements, long maxElements)
      implements RuleType {
    @Override
    public long minBytes() {
      return EMPTY_BYTES;
    }
  }

  /** A list. Sets, and lists that are maps, compare without order. */
  record ListOf(
      CelType celType, RuleType elements, Order order, List<String> listMapKeys, long maxElements)
      implements RuleType {
    @Override
    public long minBytes() {
      return EMPTY_BYTES;
    }
  }

  /** The property by which the items of a list are told apart. */
  enum Order {
    /** Their places. */
    ATOMIC,
    /** Their values. */
    SET,
    /** The values of their keys. */
    MAP
  }
}
