package dev.stint.apiextensions.value;

import dev.stint.model.Json;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.Trail;
import java.math.BigDecimal;
import java.math.BigInteger;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The numbers of custom resources, as Kubernetes keeps them: integers of 64 bits, and floats of 64
 * bits. A whole float below 1e21 is written without a fraction, so that {@code 1.0} becomes {@code
 * 1}. A number stays the same if it is written and read again.
 */
public final class CanonicalNumbers {
  /** Floats from here on are written with an exponent. */
  private static final double EXPONENT_FROM = 1e21;

  private final FieldErrors faults;
  private final Trail trail = new Trail();
  private boolean isFaulty;

  private CanonicalNumbers(FieldErrors faults) {
    this.faults = faults;
  }

  /**
   * Returns the object with such numbers: the same instance if it has no others. Nothing is
   * changed.
   *
   * @param faults receives the first number that is too large for a float
   */
  public static ObjectNode of(ObjectNode object, FieldErrors faults) {
    return (ObjectNode) new CanonicalNumbers(faults).members(object);
  }

  /** Returns any value with such numbers. One that is too large stays as it is. */
  public static JsonNode ofValue(JsonNode value) {
    return new CanonicalNumbers(new FieldErrors()).value(value);
  }

  private JsonNode value(JsonNode value) {
    return switch (value) {
      case ObjectNode object -> members(object);
      case ArrayNode list -> items(list);
      default -> value.isNumber() && !value.isInt() && !value.isLong() ? number(value) : value;
    };
  }

  private JsonNode members(ObjectNode object) {
    ObjectNode changed = null;
    for (var member : object.properties()) {
      trail.enter(member.getKey());
      JsonNode kept = value(member.getValue());
      trail.leave();
      if (kept != member.getValue()) {
        changed = changed == null ? Json.copyOf(object) : changed;
        changed.set(member.getKey(), kept);
      }
    }
    return changed == null ? object : changed;
  }

  private JsonNode items(ArrayNode list) {
    ArrayNode changed = null;
    for (int i = 0; i < list.size(); i++) {
      trail.enterIndex(i);
      JsonNode kept = value(list.get(i));
      trail.leave();
      if (kept != list.get(i)) {
        changed = changed == null ? Json.array().addAll(list) : changed;
        changed.set(i, kept);
      }
    }
    return changed == null ? list : changed;
  }

  /** Returns a number that is no integer of 64 bits. */
  private JsonNode number(JsonNode value) {
    double number = value.numberValue().doubleValue();
    if (!Double.isFinite(number)) {
      report(value);
      return value;
    }
    boolean isWhole = number == Math.rint(number) && Math.abs(number) < EXPONENT_FROM;
    JsonNode kept = isWhole ? whole(number) : Json.nodes().numberNode(number);
    return kept.equals(value) ? value : kept;
  }

  /** Returns an integer of the size in which it would be read. */
  private static JsonNode whole(double number) {
    BigInteger digits = new BigDecimal(Double.toString(number)).toBigIntegerExact();
    if (digits.bitLength() >= Long.SIZE) {
      return Json.nodes().numberNode(digits);
    }
    return digits.bitLength() < Integer.SIZE
        ? Json.nodes().numberNode(digits.intValue())
        : Json.nodes().numberNode(digits.longValue());
  }

  private void report(JsonNode value) {
    if (!isFaulty) {
      isFaulty = true;
      faults.undecodable(trail.bracketed(), "the number " + value + " is out of range");
    }
  }
}
