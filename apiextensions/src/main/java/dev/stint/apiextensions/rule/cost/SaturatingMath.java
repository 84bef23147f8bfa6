package dev.stint.apiextensions.rule.cost;

/**
 * Arithmetic of numbers that are not negative. A result that is too large becomes the largest
 * number.
 */
public final class SaturatingMath {
  private SaturatingMath() {}

  public static long plus(long one, long other) {
    return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
  }

  public static long times(long one, long other) {
    return one != 0 && other > Long.MAX_VALUE / one ? Long.MAX_VALUE : one * other;
  }

  /** Returns a product, rounded up. */
  public static long scaled(long number, double factor) {
    return (long) Math.ceil(number * factor);
  }
}
