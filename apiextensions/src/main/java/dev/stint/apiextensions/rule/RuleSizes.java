package dev.stint.apiextensions.rule;

import dev.stint.apiextensions.rule.cost.SaturatingMath;
import dev.stint.apiextensions.schema.JsonSchema;
import dev.stint.model.field.Formats;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The largest sizes of values that a schema describes, as Kubernetes estimates them. */
final class RuleSizes {
  /** The largest request; no value can be larger. */
  static final long REQUEST_BYTES = 3 * 1024 * 1024;

  private static final long BRACKETS = 2;
  private static final long QUOTES = 2;

  /** A character has this many bytes at most. */
  private static final long BYTES_OF_A_CHARACTER = 4;

  /** The quotes around a key, a colon, a comma and the shortest keys. */
  private static final long KEY_BYTES = 6;

  /** The quotes around the name of a member, a colon and a comma. */
  private static final long MEMBER_BYTES = 4;

  private static final long LONGEST_TIME = 32;
  private static final long DATE_BYTES = 12;

  private RuleSizes() {}

  /** Returns how many characters a text has at most. */
  static long text(JsonSchema schema) {
    Long limit = schema.text().maxLength();
    return switch (schema.text().format()) {
      case "byte" -> limit == null ? REQUEST_BYTES - QUOTES : Math.max(limit, 0);
      case "duration", "date-time" -> LONGEST_TIME;
      case "date" -> DATE_BYTES;
      default -> plainText(schema, limit);
    };
  }

  private static long plainText(JsonSchema schema, @Nullable Long limit) {
    if (limit != null) {
      return limited(limit);
    }
    return schema.allowed().isEmpty()
        ? REQUEST_BYTES - QUOTES
        : schema.allowed().stream()
            .filter(JsonNode::isString)
            .mapToLong(value -> utf8(value.stringValue()))
            .max()
            .orElse(0);
  }

  private static long utf8(String text) {
    return Formats.bytes(text);
  }

  /** Returns how many characters a number or a text has at most. */
  static long intOrString(JsonSchema schema) {
    Long limit = schema.text().maxLength();
    return limit == null ? REQUEST_BYTES - QUOTES : limited(limit);
  }

  private static long limited(long limit) {
    return SaturatingMath.times(Math.max(limit, 0), BYTES_OF_A_CHARACTER);
  }

  /** Returns how many items a list has at most. */
  static long list(JsonSchema schema, RuleType items) {
    Long limit = schema.sizes().maxItems();
    return limit == null ? (REQUEST_BYTES - BRACKETS) / (items.minBytes() + 1) : Math.max(limit, 0);
  }

  /** Returns how many entries a map has at most. */
  static long map(JsonSchema schema, RuleType values) {
    Long limit = schema.sizes().maxProperties();
    return limit == null
        ? (REQUEST_BYTES - BRACKETS) / (values.minBytes() + KEY_BYTES)
        : Math.max(limit, 0);
  }

  /** Returns how many bytes a member adds to an object that must have it. */
  static long member(String name, RuleType type) {
    return utf8(name) + type.minBytes() + MEMBER_BYTES;
  }

  /** Returns how often a value of a type fits into a request. */
  static long copies(RuleType type) {
    return REQUEST_BYTES / (type.minBytes() + 1);
  }
}
