package dev.stint.model;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An amount of a resource, such as {@code 500m}, {@code 1Gi} or {@code 1e3}.
 *
 * <p>It has a precision of a billionth, rounded up, as in Kubernetes.
 *
 * @param value the amount itself
 * @param style the family of suffixes in which it is read and written
 */
public record Quantity(BigDecimal value, Style style) implements Comparable<Quantity> {
  /** The families of suffixes. */
  public enum Style {
    /** Powers of 1000: n u m k M G T P E. */
    DECIMAL,
    /** Powers of 1024: Ki Mi Gi Ti Pi Ei. */
    BINARY,
    /** Powers of ten: e3, E6. */
    EXPONENT
  }

  private static final int FINEST = 9;
  private static final int LONGEST = 400;
  private static final int LARGEST_EXPONENT = 9999;
  private static final BigDecimal LARGEST_BINARY = BigDecimal.valueOf(Long.MAX_VALUE);
  private static final Pattern FORM =
      Pattern.compile("([+-]?)(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+|[A-Za-z]*)");
  private static final Pattern WITHOUT_POWER = Pattern.compile("[1-9]\\d{0,17}[eE][+-]?0+");
  private static final Map<String, Integer> DECIMAL_EXPONENTS =
      Map.of("n", -9, "u", -6, "m", -3, "", 0, "k", 3, "M", 6, "G", 9, "T", 12, "P", 15, "E", 18);
  private static final String[] DECIMAL_SUFFIXES = {
    "n", "u", "m", "", "k", "M", "G", "T", "P", "E"
  };
  private static final String[] BINARY_SUFFIXES = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};

  /**
   * Returns the canonical form of an amount; null if the text is not an amount, or if that form
   * could not be parsed again, such as {@code 1e10002}. Surrounding spaces are ignored. A whole
   * number with the exponent 0 stays as written, such as {@code 1E0}.
   */
  public static @Nullable String canonical(String text) {
    String stripped = text.strip();
    Quantity amount = parse(stripped);
    if (amount == null) {
      return null;
    }
    return WITHOUT_POWER.matcher(stripped).matches() ? stripped : amount.readable();
  }

  /** Parses an amount; null if the text is none. */
  public static @Nullable Quantity parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (text.length() > LONGEST || !matcher.matches()) {
      return null;
    }
    BigDecimal digits = new BigDecimal(matcher.group(1) + trailingDotCut(matcher.group(2)));
    String suffix = matcher.group(3);
    if (suffix.length() > 1 && !Character.isLetter(suffix.charAt(1))) {
      return exponent(digits, suffix.substring(1));
    }
    Integer power = DECIMAL_EXPONENTS.get(suffix);
    if (power != null) {
      return of(digits.scaleByPowerOfTen(power), Style.DECIMAL);
    }
    for (int i = 1; i < BINARY_SUFFIXES.length; i++) {
      if (BINARY_SUFFIXES[i].equals(suffix)) {
        return of(digits.multiply(new BigDecimal(BigInteger.ONE.shiftLeft(10 * i))), Style.BINARY);
      }
    }
    return null;
  }

  /** Returns the sum of two amounts, written as the first one that is not 0. */
  public Quantity plus(Quantity more) {
    return new Quantity(value.add(more.value), value.signum() == 0 ? more.style : style);
  }

  public boolean isNegative() {
    return value.signum() < 0;
  }

  public boolean isWhole() {
    return value.stripTrailingZeros().scale() <= 0;
  }

  /** Returns the canonical form of this amount. */
  public String canonical() {
    if (value.signum() == 0) {
      return "0";
    }
    boolean small = value.abs().compareTo(BigDecimal.valueOf(1024)) < 0;
    return switch (style) {
      case BINARY -> small || !isWhole() ? decimal("") : binary();
      case DECIMAL -> decimal("");
      case EXPONENT -> decimal("e");
    };
  }

  /** Returns {@link #canonical()}; null if it is too large to be parsed again. */
  public @Nullable String readable() {
    String text = canonical();
    return parse(text) == null ? null : text;
  }

  @Override
  public int compareTo(Quantity other) {
    return value.compareTo(other.value);
  }

  private static @Nullable Quantity exponent(BigDecimal digits, String exponent) {
    if (exponent.length() > 5 || Math.abs(Integer.parseInt(exponent)) > LARGEST_EXPONENT) {
      return null;
    }
    return of(digits.scaleByPowerOfTen(Integer.parseInt(exponent)), Style.EXPONENT);
  }

  private static Quantity of(BigDecimal value, Style style) {
    BigDecimal kept = value.scale() > FINEST ? value.setScale(FINEST, RoundingMode.UP) : value;
    return new Quantity(
        style == Style.BINARY ? kept.min(LARGEST_BINARY).max(LARGEST_BINARY.negate()) : kept,
        style);
  }

  private static String trailingDotCut(String digits) {
    return digits.endsWith(".") ? digits.substring(0, digits.length() - 1) : digits;
  }

  private String decimal(String exponentSign) {
    BigDecimal stripped = value.stripTrailingZeros();
    int power = Math.floorDiv(-stripped.scale(), 3) * 3;
    if (exponentSign.isEmpty()) {
      power = Math.min(power, 18);
    }
    String digits = stripped.scaleByPowerOfTen(-power).toBigIntegerExact().toString();
    if (exponentSign.isEmpty()) {
      return digits + DECIMAL_SUFFIXES[power / 3 + 3];
    }
    return power == 0 ? digits : digits + exponentSign + power;
  }

  private String binary() {
    BigInteger amount = value.toBigIntegerExact();
    int power = Math.min(amount.getLowestSetBit() / 10, BINARY_SUFFIXES.length - 1);
    return amount.shiftRight(10 * power) + BINARY_SUFFIXES[power];
  }
}
