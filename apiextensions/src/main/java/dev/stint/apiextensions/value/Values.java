package dev.stint.apiextensions.value;

import java.math.BigDecimal;
import tools.jackson.databind.JsonNode;

/** Compares JSON values. */
final class Values {
  private Values() {}

  /** True if values are equal, where 1 equals 1.0. */
  static boolean areEqual(JsonNode one, JsonNode other) {
    return one.equals(Values::compare, other);
  }

  /** Returns zero for numerically equal values; called for values that are not equal otherwise. */
  private static int compare(JsonNode one, JsonNode other) {
    return one.equals(other)
            || one.isNumber()
                && other.isNumber()
                && one.decimalValue().compareTo(other.decimalValue()) == 0
        ? 0
        : 1;
  }

  /** Returns a number as Go prints it: without a fraction if it has none. */
  static String number(BigDecimal value) {
    double d = value.doubleValue();
    if (d == 0) {
      return "0";
    }
    BigDecimal shortest = new BigDecimal(Double.toString(d)).stripTrailingZeros();
    int exponent = shortest.precision() - shortest.scale() - 1;
    if (exponent >= -4 && exponent < 21) {
      return shortest.toPlainString();
    }
    String digits = shortest.unscaledValue().abs().toString();
    String mantissa = digits.length() == 1 ? digits : digits.charAt(0) + "." + digits.substring(1);
    String magnitude = (Math.abs(exponent) < 10 ? "0" : "") + Math.abs(exponent);
    return (d < 0 ? "-" : "") + mantissa + "e" + (exponent < 0 ? "-" : "+") + magnitude;
  }
}
