package dev.stint.apiextensions.rule.library;

import static dev.cel.common.types.SimpleType.BOOL;
import static dev.cel.common.types.SimpleType.DOUBLE;
import static dev.cel.common.types.SimpleType.INT;
import static dev.cel.common.types.SimpleType.STRING;

import dev.cel.common.types.CelType;
import dev.stint.apiextensions.rule.cost.CostMeter;
import dev.stint.model.Quantity;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** Functions of quantities. */
public final class QuantityLibrary {
  private static final CelType TYPE = CelQuantity.TYPE;

  private QuantityLibrary() {}

  /** Adds the functions of this library. */
  public static void addTo(Functions functions) {
    functions.type(TYPE, CelQuantity.class);
    functions.function("quantity", TYPE, a -> read(a[0]), STRING);
    functions.function("isQuantity", BOOL, a -> parse(a[0]) != null, STRING);
    functions.function("sign", INT, a -> (long) number(a[0]).signum(), TYPE);
    functions.method("isGreaterThan", BOOL, a -> compare(a) > 0, TYPE, TYPE);
    functions.method("isLessThan", BOOL, a -> compare(a) < 0, TYPE, TYPE);
    functions.method("compareTo", INT, QuantityLibrary::compare, TYPE, TYPE);
    functions.method("asApproximateFloat", DOUBLE, a -> number(a[0]).doubleValue(), TYPE);
    functions.method("asInteger", INT, a -> integer(a[0]), TYPE);
    functions.method("isInteger", BOOL, a -> isInteger(number(a[0])), TYPE);
    functions.method("add", TYPE, a -> ((CelQuantity) a[0]).plus(number(a[1])), TYPE, TYPE);
    functions.method("add", TYPE, a -> ((CelQuantity) a[0]).plus(number(a[1])), TYPE, INT);
    functions.method(
        "sub", TYPE, a -> ((CelQuantity) a[0]).plus(number(a[1]).negate()), TYPE, TYPE);
    functions.method("sub", TYPE, a -> ((CelQuantity) a[0]).plus(number(a[1]).negate()), TYPE, INT);
  }

  private static @Nullable Quantity parse(Object text) {
    CostMeter.chargeText(((String) text).length());
    return Quantity.parse((String) text);
  }

  private static CelQuantity read(Object text) {
    Quantity quantity = parse(text);
    if (quantity == null) {
      throw new IllegalArgumentException(
          "quantities must match the regular expression"
              + " '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
    }
    return new CelQuantity(quantity);
  }

  private static BigDecimal number(Object value) {
    return value instanceof CelQuantity amount ? amount.number() : BigDecimal.valueOf((Long) value);
  }

  private static long compare(Object[] amounts) {
    return number(amounts[0]).compareTo(number(amounts[1]));
  }

  private static boolean isInteger(BigDecimal number) {
    BigDecimal stripped = number.stripTrailingZeros();
    return stripped.scale() <= 0
        && stripped.precision() - stripped.scale() <= 19
        && stripped.toBigIntegerExact().bitLength() < Long.SIZE;
  }

  private static long integer(Object amount) {
    BigDecimal number = number(amount);
    if (!isInteger(number)) {
      throw new IllegalArgumentException("cannot convert value to integer");
    }
    return number.longValueExact();
  }
}
