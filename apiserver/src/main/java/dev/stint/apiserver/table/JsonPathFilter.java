package dev.stint.apiserver.table;

import java.math.BigDecimal;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.BooleanNode;
import tools.jackson.databind.node.DecimalNode;
import tools.jackson.databind.node.StringNode;

/**
 * The filter of a JSON path, such as {@code @.type=="Ready"}, or {@code @.tls} for the items that
 * have this member.
 *
 * @param value the path from an item to what is compared
 * @param fits accepts the sign of the comparison of that with the literal
 * @param literal null if any value will do
 */
record JsonPathFilter(JsonPathExpression value, IntPredicate fits, @Nullable JsonNode literal) {
  private static final Pattern COMPARISON =
      Pattern.compile("(?<value>[^!<>=]++)(?<operator>[!<>=]++)(?<literal>.++)");
  private static final Pattern QUOTED = Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*+\"|'[^']*+'");
  private static final Pattern NUMBER = Pattern.compile("[+-]?+\\d{1,18}+(?:\\.\\d{1,18}+)?+");

  private static final Map<String, IntPredicate> OPERATORS =
      Map.of(
          "==", order -> order == 0,
          "!=", order -> order != 0,
          "<", order -> order < 0,
          "<=", order -> order <= 0,
          ">", order -> order > 0,
          ">=", order -> order >= 0);

  /** Parses what stands between {@code [?(} and {@code )]}; null if it is another condition. */
  static @Nullable JsonPathFilter parse(String text) {
    Matcher comparison = COMPARISON.matcher(text);
    if (!comparison.matches()) {
      JsonPathExpression value = value(text);
      return value == null ? null : new JsonPathFilter(value, _ -> true, null);
    }
    JsonPathExpression value = value(comparison.group("value"));
    IntPredicate fits = OPERATORS.get(comparison.group("operator"));
    JsonNode literal = literal(comparison.group("literal").strip());
    return value == null || fits == null || literal == null
        ? null
        : new JsonPathFilter(value, fits, literal);
  }

  private static @Nullable JsonPathExpression value(String text) {
    String path = text.strip();
    return path.startsWith("@") ? JsonPathExpression.relative(path.substring(1)) : null;
  }

  private static @Nullable JsonNode literal(String text) {
    if (QUOTED.matcher(text).matches()) {
      String inside = text.substring(1, text.length() - 1);
      return StringNode.valueOf(JsonPathExpression.unescaped(inside));
    }
    if (NUMBER.matcher(text).matches()) {
      return DecimalNode.valueOf(new BigDecimal(text));
    }
    return text.equals("true") || text.equals("false")
        ? BooleanNode.valueOf(Boolean.parseBoolean(text))
        : null;
  }

  /** True if an item has the value, and it compares so; values of different types never do. */
  boolean accepts(JsonNode item) {
    JsonNode found = value.first(item);
    if (found == null || literal == null) {
      return found != null;
    }
    Integer order = order(found, literal);
    return order != null && fits.test(order);
  }

  private static @Nullable Integer order(JsonNode found, JsonNode literal) {
    if (found.isNumber() && literal.isNumber()) {
      return found.decimalValue().compareTo(literal.decimalValue());
    }
    if (found.isString() && literal.isString()) {
      return found.stringValue().compareTo(literal.stringValue());
    }
    return found.isBoolean() && literal.isBoolean()
        ? Boolean.compare(found.booleanValue(), literal.booleanValue())
        : null;
  }
}
