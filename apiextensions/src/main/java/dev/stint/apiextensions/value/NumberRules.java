package dev.stint.apiextensions.value;

import dev.stint.apiextensions.schema.JsonSchema;
import dev.stint.apiextensions.schema.NumberLimits;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Numbers are within their bounds, and within what their format can hold. */
final class NumberRules {
  private static final double TOLERANCE = 1e-9;

  private NumberRules() {}

  static void check(JsonNode value, JsonSchema schema, Findings findings) {
    NumberLimits limits = schema.numbers();
    if (limits != NumberLimits.NONE) {
      multiple(value, limits.multipleOf(), findings);
      maximum(value, limits, findings);
      minimum(value, limits, findings);
    }
    range(value, schema, findings);
  }

  private static void multiple(JsonNode value, @Nullable BigDecimal factor, Findings findings) {
    if (factor != null && factor.signum() > 0 && !isMultiple(value, factor)) {
      findings.invalid("should be a multiple of " + Values.number(factor), value);
    }
  }

  private static boolean isMultiple(JsonNode value, BigDecimal factor) {
    if (value.isIntegralNumber() && factor.stripTrailingZeros().scale() <= 0) {
      return value.decimalValue().remainder(factor).signum() == 0;
    }
    double quotient = value.doubleValue() / factor.doubleValue();
    double distance = Math.abs(quotient - Math.rint(quotient));
    return distance <= TOLERANCE * Math.max(1, Math.abs(quotient));
  }

  private static void maximum(JsonNode value, NumberLimits limits, Findings findings) {
    BigDecimal most = limits.maximum();
    if (most == null) {
      return;
    }
    int order = value.decimalValue().compareTo(most);
    if (order > 0 || order == 0 && limits.exclusiveMaximum()) {
      String than = limits.exclusiveMaximum() ? "less than " : "less than or equal to ";
      findings.invalid("should be " + than + Values.number(most), value);
    }
  }

  private static void minimum(JsonNode value, NumberLimits limits, Findings findings) {
    BigDecimal least = limits.minimum();
    if (least == null) {
      return;
    }
    int order = value.decimalValue().compareTo(least);
    if (order < 0 || order == 0 && limits.exclusiveMinimum()) {
      String than = limits.exclusiveMinimum() ? "greater than " : "greater than or equal to ";
      findings.invalid("should be " + than + Values.number(least), value);
    }
  }

  private static void range(JsonNode value, JsonSchema schema, Findings findings) {
    String format = schema.text().format();
    boolean fits =
        switch (format) {
          case "int32" -> value.canConvertToInt();
          case "int64" -> value.canConvertToLong();
          case "float" -> !Float.isInfinite(value.floatValue());
          default -> true;
        };
    if (!fits && !schema.type().isEmpty()) {
      findings.whole(
          "Checked value must be of type %s with format %s in %s"
              .formatted(schema.type(), format, findings.place()));
    }
  }
}
