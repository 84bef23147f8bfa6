package dev.stint.apiextensions.rule;

import dev.cel.common.types.SimpleType;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import dev.stint.apiextensions.rule.RuleType.ListOf;
import dev.stint.apiextensions.rule.RuleType.MapOf;
import dev.stint.apiextensions.rule.RuleType.ObjectOf;
import dev.stint.apiextensions.rule.RuleType.Scalar;
import dev.stint.apiextensions.value.Durations;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The views of JSON that rules read; they copy nothing. */
final class CelValues {
  private CelValues() {}

  /** Returns a value in the form in which rules read it. */
  static Object of(JsonNode value, RuleType type) {
    if (value.isNull()) {
      return NullValue.NULL_VALUE;
    }
    return switch (type) {
      case ObjectOf of when value instanceof ObjectNode object -> new StructView(object, of);
      case MapOf of when value instanceof ObjectNode object -> new MapView(object, of);
      case ListOf of when value instanceof ArrayNode list -> new CelList(list, of);
      case Scalar of -> scalar(value, of);
      default -> plain(value);
    };
  }

  private static Object scalar(JsonNode value, Scalar type) {
    if (value.isString()) {
      return text(value.stringValue(), type.format());
    }
    boolean isDouble = type.celType() == SimpleType.DOUBLE;
    return isDouble && value.isNumber() ? (Object) value.doubleValue() : plain(value);
  }

  /** Converts a value by its own JSON type, since it does not match the type of the schema. */
  private static Object plain(JsonNode value) {
    if (value.isString()) {
      return value.stringValue();
    }
    if (value.isIntegralNumber() && value.canConvertToLong()) {
      return value.longValue();
    }
    if (value.isNumber()) {
      return value.doubleValue();
    }
    return value.isBoolean() ? (Object) value.booleanValue() : NullValue.NULL_VALUE;
  }

  /** Converts a text by its format; a text that does not follow the format stays a string. */
  private static Object text(String text, String format) {
    try {
      return switch (format) {
        case "byte" -> CelByteString.of(Base64.getMimeDecoder().decode(text));
        case "date" -> LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
        case "date-time", "datetime" ->
            OffsetDateTime.parse(text.trim().replace(' ', 'T')).toInstant();
        case "duration" -> Objects.<Object>requireNonNullElse(Durations.parse(text), text);
        default -> text;
      };
    } catch (DateTimeException | IllegalArgumentException | ArithmeticException e) {
      return text;
    }
  }
}
