package dev.stint.apiextensions.rule.library;

import static dev.cel.common.types.SimpleType.BOOL;
import static dev.cel.common.types.SimpleType.BYTES;
import static dev.cel.common.types.SimpleType.DOUBLE;
import static dev.cel.common.types.SimpleType.DURATION;
import static dev.cel.common.types.SimpleType.INT;
import static dev.cel.common.types.SimpleType.STRING;
import static dev.cel.common.types.SimpleType.TIMESTAMP;
import static dev.cel.common.types.SimpleType.UINT;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.TypeParamType;
import dev.cel.common.values.CelByteString;
import dev.stint.apiextensions.rule.cost.CostMeter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.BiPredicate;

/** Functions of lists. */
public final class ListLibrary {
  private static final List<CelType> COMPARABLE =
      List.of(INT, UINT, DOUBLE, BOOL, STRING, BYTES, DURATION, TIMESTAMP);
  private static final CelType ANY = TypeParamType.create("T");

  private ListLibrary() {}

  /**
   * Adds all.
   *
   * @param areEqual compares items
   */
  public static void addTo(Functions functions, BiPredicate<Object, Object> areEqual) {
    for (CelType item : COMPARABLE) {
      CelType list = ListType.create(item);
      functions.method("isSorted", BOOL, a -> isSorted((List<?>) a[0]), list);
      functions.method("min", item, a -> extreme((List<?>) a[0], "min", -1), list);
      functions.method("max", item, a -> extreme((List<?>) a[0], "max", 1), list);
    }
    functions.method("sum", INT, a -> sum((List<?>) a[0], 0L), ListType.create(INT));
    functions.method(
        "sum", UINT, a -> sum((List<?>) a[0], UnsignedLong.ZERO), ListType.create(UINT));
    functions.method("sum", DOUBLE, a -> sum((List<?>) a[0], 0.0), ListType.create(DOUBLE));
    functions.method(
        "sum", DURATION, a -> sum((List<?>) a[0], Duration.ZERO), ListType.create(DURATION));
    functions.method(
        "indexOf", INT, a -> indexOf((List<?>) a[0], a[1], areEqual), ListType.create(ANY), ANY);
    functions.method(
        "lastIndexOf",
        INT,
        a -> lastIndexOf((List<?>) a[0], a[1], areEqual),
        ListType.create(ANY),
        ANY);
  }

  private static boolean isSorted(List<?> list) {
    CostMeter.charge(list.size());
    for (int i = 1; i < list.size(); i++) {
      if (compare(list.get(i - 1), list.get(i)) > 0) {
        return false;
      }
    }
    return true;
  }

  private static Object extreme(List<?> list, String name, int sign) {
    CostMeter.charge(list.size());
    if (list.isEmpty()) {
      throw new IllegalArgumentException(name + " called on empty list");
    }
    Object best = list.getFirst();
    for (Object item : list) {
      best = compare(item, best) * sign > 0 ? item : best;
    }
    return best;
  }

  /** Compares two values of the same type. */
  static int compare(Object one, Object other) {
    CostMeter.charge(1);
    return switch (one) {
      case Long a when other instanceof Long b -> Long.compare(a, b);
      case UnsignedLong a when other instanceof UnsignedLong b -> a.compareTo(b);
      case Number a when other instanceof Number b ->
          Double.compare(a.doubleValue(), b.doubleValue());
      case Boolean a when other instanceof Boolean b -> Boolean.compare(a, b);
      case String a when other instanceof String b -> compare(a, b);
      case Duration a when other instanceof Duration b -> a.compareTo(b);
      case Instant a when other instanceof Instant b -> a.compareTo(b);
      case CelByteString a when other instanceof CelByteString b ->
          CelByteString.unsignedLexicographicalComparator().compare(a, b);
      default -> throw new IllegalArgumentException("no such overload");
    };
  }

  private static int compare(String one, String other) {
    CostMeter.chargeText(Math.min(one.length(), other.length()));
    return one.compareTo(other);
  }

  private static Object sum(List<?> list, Object zero) {
    CostMeter.charge(list.size());
    Object sum = list.isEmpty() ? zero : list.getFirst();
    for (Object item : list.isEmpty() ? list : list.subList(1, list.size())) {
      sum = plus(sum, item);
    }
    return sum;
  }

  private static Object plus(Object one, Object other) {
    return switch (one) {
      case Long a when other instanceof Long b -> Math.addExact(a, b);
      case UnsignedLong a when other instanceof UnsignedLong b -> a.plus(b);
      case Number a when other instanceof Number b -> a.doubleValue() + b.doubleValue();
      case Duration a when other instanceof Duration b -> a.plus(b);
      default -> throw new IllegalArgumentException("no such overload");
    };
  }

  private static long indexOf(List<?> list, Object item, BiPredicate<Object, Object> areEqual) {
    for (int i = 0; i < list.size(); i++) {
      if (areEqual.test(list.get(i), item)) {
        return i;
      }
    }
    return -1;
  }

  private static long lastIndexOf(List<?> list, Object item, BiPredicate<Object, Object> areEqual) {
    for (int i = list.size() - 1; i >= 0; i--) {
      if (areEqual.test(list.get(i), item)) {
        return i;
      }
    }
    return -1;
  }
}
