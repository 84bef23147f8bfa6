package dev.stint.apiextensions.rule.library;

import static dev.cel.common.types.SimpleType.DYN;
import static dev.cel.common.types.SimpleType.INT;
import static dev.cel.common.types.SimpleType.STRING;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.runtime.CelFunctionBinding;
import dev.stint.apiextensions.rule.cost.CostMeter;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Functions of texts whose cost or result may be far larger than the texts, and regular ones. */
public final class TextLibrary {
  private static final CelType TEXTS = ListType.create(STRING);

  /** Longer patterns are refused: the time of a search is the product of both lengths. */
  private static final int LONGEST_PATTERN = 10_000;

  private TextLibrary() {}

  /** Adds the functions of this library. */
  public static void addTo(Functions functions) {
    functions.bind(
        "contains",
        CelFunctionBinding.from(
            "contains_string",
            String.class,
            String.class,
            (text, part) -> find(text, part, 0) >= 0));
    functions.bind(
        "matches",
        CelFunctionBinding.from("matches", String.class, String.class, TextLibrary::matches));
    functions.bind(
        "matches",
        CelFunctionBinding.from(
            "matches_string", String.class, String.class, TextLibrary::matches));
    searches(functions);
    parts(functions);
    functions.method("find", STRING, a -> first(text(a, 0), text(a, 1)), STRING, STRING);
    functions.method("findAll", TEXTS, a -> all(text(a, 0), text(a, 1), -1), STRING, STRING);
    functions.method(
        "findAll", TEXTS, a -> all(text(a, 0), text(a, 1), (Long) a[2]), STRING, STRING, INT);
    functions.method(
        "format",
        STRING,
        a -> TextFormatter.format(text(a, 0), (List<?>) a[1]),
        STRING,
        ListType.create(DYN));
  }

  private static void searches(Functions functions) {
    functions.method("indexOf", INT, a -> indexOf(a, 0), STRING, STRING);
    functions.method("indexOf", INT, a -> indexOf(a, (Long) a[2]), STRING, STRING, INT);
    functions.method("lastIndexOf", INT, a -> lastIndexOf(a, length(a)), STRING, STRING);
    functions.method("lastIndexOf", INT, a -> lastIndexOf(a, (Long) a[2]), STRING, STRING, INT);
  }

  private static void parts(Functions functions) {
    functions.method("join", STRING, a -> join((List<?>) a[0], ""), TEXTS);
    functions.method("join", STRING, a -> join((List<?>) a[0], text(a, 1)), TEXTS, STRING);
    functions.method("split", TEXTS, a -> split(text(a, 0), text(a, 1), -1), STRING, STRING);
    functions.method(
        "split", TEXTS, a -> split(text(a, 0), text(a, 1), (Long) a[2]), STRING, STRING, INT);
    functions.method("replace", STRING, a -> replace(a, -1), STRING, STRING, STRING);
    functions.method("replace", STRING, a -> replace(a, (Long) a[3]), STRING, STRING, STRING, INT);
  }

  private static String text(Object[] arguments, int index) {
    return (String) arguments[index];
  }

  /** Finds a part of a text, and charges the worst case. */
  private static int find(String text, String part, int from) {
    CostMeter.chargeText(text.length());
    CostMeter.charge(((long) text.length() * part.length()) >>> 10);
    return text.indexOf(part, from);
  }

  private static long length(Object[] arguments) {
    String text = text(arguments, 0);
    return text.codePointCount(0, text.length());
  }

  private static int offset(Object[] arguments, long position) {
    if (position < 0 || position > length(arguments)) {
      throw new IllegalArgumentException("index out of range: " + position);
    }
    return text(arguments, 0).offsetByCodePoints(0, (int) position);
  }

  private static long position(String text, int offset) {
    return offset < 0 ? -1 : text.codePointCount(0, offset);
  }

  private static long indexOf(Object[] arguments, long from) {
    String text = text(arguments, 0);
    return position(text, find(text, text(arguments, 1), offset(arguments, from)));
  }

  private static long lastIndexOf(Object[] arguments, long from) {
    String text = text(arguments, 0);
    String part = text(arguments, 1);
    CostMeter.charge(((long) text.length() * part.length()) >>> 10);
    return position(text, text.lastIndexOf(part, offset(arguments, from)));
  }

  private static String join(List<?> parts, String between) {
    StringBuilder joined = new StringBuilder();
    boolean isFirst = true;
    for (Object part : parts) {
      if (!(part instanceof String text)) {
        throw new IllegalArgumentException("join of a list that does not hold texts");
      }
      CostMeter.chargeText(text.length() + between.length());
      joined.append(isFirst ? "" : between).append(text);
      isFirst = false;
    }
    return joined.toString();
  }

  private static List<String> split(String text, String between, long limit) {
    CostMeter.chargeText(text.length());
    CostMeter.charge(((long) text.length() * between.length()) >>> 10);
    if (limit == 0) {
      return List.of();
    }
    List<String> parts = new ArrayList<>();
    int start = 0;
    while (limit < 0 || parts.size() < limit - 1) {
      int end = between.isEmpty() ? nextCharacter(text, start) : text.indexOf(between, start);
      if (end < 0) {
        break;
      }
      parts.add(text.substring(start, end));
      CostMeter.charge(1);
      start = end + between.length();
    }
    parts.add(text.substring(start));
    return parts;
  }

  /** Returns where the next character ends; -1 if the text ends with it. */
  private static int nextCharacter(String text, int start) {
    int end = start < text.length() ? text.offsetByCodePoints(start, 1) : text.length();
    return end == text.length() ? -1 : end;
  }

  private static String replace(Object[] arguments, long limit) {
    String text = text(arguments, 0);
    String other = text(arguments, 2);
    List<String> parts =
        text(arguments, 1).isEmpty()
            ? aroundCharacters(text, limit)
            : split(text, text(arguments, 1), limit < 0 ? -1 : limit + 1);
    return join(parts, other);
  }

  /** Splits a text before each character and at its end. */
  private static List<String> aroundCharacters(String text, long limit) {
    List<String> parts = new ArrayList<>(split(text, "", limit < 0 ? -1 : Math.max(limit, 1)));
    if (limit != 0) {
      parts.addFirst("");
      if (!text.isEmpty() && (limit < 0 || parts.size() <= limit)) {
        parts.add("");
      }
    }
    return parts;
  }

  private static Matcher matcher(String text, String pattern) {
    if (pattern.length() > LONGEST_PATTERN) {
      throw new IllegalArgumentException("the pattern is longer than " + LONGEST_PATTERN);
    }
    CostMeter.charge((1 + text.length() / 10L) * (1 + pattern.length() / 4L));
    try {
      return Pattern.compile(pattern).matcher(text);
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private static boolean matches(String text, String pattern) {
    return matcher(text, pattern).find();
  }

  private static String first(String text, String pattern) {
    Matcher matcher = matcher(text, pattern);
    return matcher.find() ? matcher.group() : "";
  }

  private static List<String> all(String text, String pattern, long limit) {
    List<String> found = new ArrayList<>();
    Matcher matcher = matcher(text, pattern);
    while ((limit < 0 || found.size() < limit) && matcher.find()) {
      CostMeter.charge(1);
      found.add(matcher.group());
    }
    return found;
  }

  /** Returns a number as Go shows it: the fewest digits, and an exponent if it is far from 1. */
  public static String shown(double number) {
    if (Double.isNaN(number) || Double.isInfinite(number)) {
      return Double.isNaN(number) ? "NaN" : number > 0 ? "+Inf" : "-Inf";
    }
    BigDecimal digits = new BigDecimal(Double.toString(number)).stripTrailingZeros();
    int exponent = digits.precision() - digits.scale() - 1;
    if (number == 0 || exponent >= -4 && exponent < 21) {
      return digits.toPlainString();
    }
    String mantissa = digits.movePointLeft(exponent).toPlainString();
    return mantissa + String.format(Locale.ROOT, "e%+03d", exponent);
  }
}
