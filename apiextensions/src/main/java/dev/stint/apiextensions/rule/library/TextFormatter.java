package dev.stint.apiextensions.rule.library;

import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import dev.stint.apiextensions.rule.cost.CostMeter;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Fills values into a text at {@code %s}, {@code %d}, {@code %.2f} and the like. */
final class TextFormatter {
  private static final int DEFAULT_PRECISION = 6;
  private static final int MOST_PRECISION = 1000;
  private static final String SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

  private final String form;
  private final List<?> values;
  private int at;
  private int next;

  private TextFormatter(String form, List<?> values) {
    this.form = form;
    this.values = values;
  }

  static String format(String form, List<?> values) {
    return new TextFormatter(form, values).text();
  }

  private String text() {
    StringBuilder text = new StringBuilder();
    while (at < form.length()) {
      char c = form.charAt(at++);
      if (c != '%') {
        text.append(c);
      } else if (at < form.length() && form.charAt(at) == '%') {
        text.append('%');
        at++;
      } else {
        text.append(clause());
      }
    }
    CostMeter.chargeText(text.length());
    return text.toString();
  }

  private String clause() {
    int precision = precision();
    if (at == form.length()) {
      throw new IllegalArgumentException("unexpected end of format string");
    }
    char verb = form.charAt(at++);
    if (next == values.size()) {
      throw new IllegalArgumentException("index " + next + " out of range");
    }
    Object value = values.get(next++);
    String text = clause(verb, precision, value);
    CostMeter.chargeText(text.length());
    return text;
  }

  private int precision() {
    if (at == form.length() || form.charAt(at) != '.') {
      return DEFAULT_PRECISION;
    }
    int start = ++at;
    while (at < form.length() && Character.isDigit(form.charAt(at)) && at - start < 5) {
      at++;
    }
    int precision = start == at ? DEFAULT_PRECISION : Integer.parseInt(form.substring(start, at));
    if (precision > MOST_PRECISION) {
      throw new IllegalArgumentException("precision is larger than " + MOST_PRECISION);
    }
    return precision;
  }

  private static String clause(char verb, int precision, Object value) {
    return switch (verb) {
      case 's' -> shown(value);
      case 'd' -> value instanceof Number number ? shown(number) : refused("only numbers");
      case 'f', 'e' ->
          value instanceof Number number
              ? number(verb, precision, number)
              : refused("only numbers");
      case 'b' -> value instanceof Boolean flag ? (flag ? "1" : "0") : digits(value, 2);
      case 'o' -> digits(value, 8);
      case 'x' -> hex(value);
      case 'X' -> hex(value).toUpperCase(Locale.ROOT);
      default ->
          throw new IllegalArgumentException("unrecognized formatting clause \"" + verb + '"');
    };
  }

  private static String refused(String wanted) {
    throw new IllegalArgumentException(
        "error during formatting: " + wanted + " can be formatted by this clause");
  }

  private static String digits(Object value, int radix) {
    return value instanceof Long number ? Long.toString(number, radix) : refused("only integers");
  }

  private static String number(char verb, int precision, Number value) {
    double number = value.doubleValue();
    if (Double.isNaN(number) || Double.isInfinite(number)) {
      return shown(number);
    }
    if (verb == 'f') {
      return new BigDecimal(number).setScale(precision, RoundingMode.HALF_EVEN).toPlainString();
    }
    return scientific(String.format(Locale.ROOT, "%." + precision + "e", number));
  }

  /** Writes the exponent as Kubernetes does: {@code 3.14×10⁰⁰}. */
  private static String scientific(String text) {
    int e = text.indexOf('e');
    StringBuilder written = new StringBuilder(text.substring(0, e)).append("×10");
    text.substring(e + 1)
        .chars()
        .filter(c -> c != '+')
        .forEach(c -> written.append(c == '-' ? '⁻' : SUPERSCRIPTS.charAt(c - '0')));
    return written.toString();
  }

  private static String hex(Object value) {
    return switch (value) {
      case Long number -> Long.toString(number, 16);
      case String text -> HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
      case CelByteString bytes -> HexFormat.of().formatHex(bytes.toByteArray());
      default -> refused("only integers, texts and bytes");
    };
  }

  private static String shown(Object value) {
    CostMeter.charge(1);
    return switch (value) {
      case NullValue _ -> "null";
      case Double number -> number(number);
      case CelByteString bytes -> bytes.toStringUtf8();
      case Duration duration ->
          BigDecimal.valueOf(duration.getSeconds())
                  .add(BigDecimal.valueOf(duration.getNano(), 9))
                  .stripTrailingZeros()
                  .toPlainString()
              + "s";
      case Optional<?> optional -> optional.map(TextFormatter::shown).orElse("none");
      case List<?> list ->
          list.stream().map(TextFormatter::shown).collect(Collectors.joining(", ", "[", "]"));
      case Map<?, ?> map ->
          map.entrySet().stream()
              .map(entry -> shown(entry.getKey()) + ": " + shown(entry.getValue()))
              .sorted()
              .collect(Collectors.joining(", ", "{", "}"));
      default -> value.toString();
    };
  }

  private static String number(double number) {
    if (Double.isNaN(number)) {
      return "NaN";
    }
    if (Double.isInfinite(number)) {
      return number > 0 ? "Infinity" : "-Infinity";
    }
    BigDecimal exact = new BigDecimal(Double.toString(number)).stripTrailingZeros();
    return exact.abs().compareTo(BigDecimal.valueOf(1e15)) < 0
        ? exact.toPlainString()
        : Double.toString(number);
  }
}
