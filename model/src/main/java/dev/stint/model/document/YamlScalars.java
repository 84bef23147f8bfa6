package dev.stint.model.document;

import dev.stint.model.document.RawNode.RawValue;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Resolves plain scalars by the rules of YAML 1.1 as kubectl applies them. */
final class YamlScalars {
  static final String STRING_TAG = "tag:yaml.org,2002:str";

  private static final String TAGS = "tag:yaml.org,2002:";

  /** The tags that are resolved; any other tag leaves text unchanged. */
  private static final Set<String> RESOLVED_TAGS =
      Set.of("", TAGS + "null", TAGS + "bool", TAGS + "int", TAGS + "float");

  private static final Set<String> NULLS = Set.of("", "~", "null", "Null", "NULL");
  private static final Set<String> TRUE =
      Set.of("true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON", "y", "Y");
  private static final Set<String> FALSE =
      Set.of("false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF", "n", "N");
  private static final Map<String, Double> SPECIAL =
      Stream.of("inf", "Inf", "INF", "nan", "NaN", "NAN")
          .flatMap(YamlScalars::signs)
          .collect(Collectors.toUnmodifiableMap(text -> text, YamlScalars::special));
  private static final Pattern INTEGER =
      Pattern.compile("[-+]?(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]*|[1-9][0-9]*)");
  private static final Pattern FLOAT =
      Pattern.compile("[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?");
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private YamlScalars() {}

  private static Stream<String> signs(String word) {
    return word.startsWith("n") || word.startsWith("N")
        ? Stream.of("." + word)
        : Stream.of("." + word, "+." + word, "-." + word);
  }

  private static double special(String text) {
    boolean infinite = text.toLowerCase(Locale.ROOT).endsWith("inf");
    return infinite
        ? text.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY
        : Double.NaN;
  }

  /** Returns the value of a scalar; empty if its tag does not allow it. */
  static Optional<RawValue> resolve(int line, String tag, String text) {
    if (!RESOLVED_TAGS.contains(tag)) {
      return Optional.of(new RawValue(line, NODES.stringNode(text), text));
    }
    JsonNode value = plain(text);
    boolean fits =
        switch (tag) {
          case "" -> true;
          case TAGS + "null" -> value.isNull();
          case TAGS + "bool" -> value.isBoolean();
          case TAGS + "int" -> value.isIntegralNumber();
          default -> value.isNumber();
        };
    return fits ? Optional.of(new RawValue(line, value, text)) : Optional.empty();
  }

  /** True if JSON has no way to write the value: infinite, or no number. */
  static boolean isUnsayable(JsonNode value) {
    return value.isDouble() && !Double.isFinite(value.doubleValue());
  }

  /** Returns the name of a member with such a key; empty if the key cannot be a name. */
  static Optional<String> key(RawValue raw) {
    JsonNode value = raw.value();
    if (value.isString() || value.isBoolean()) {
      return Optional.of(value.asString());
    }
    if (value.isNull()) {
      return Optional.empty();
    }
    JsonNode whole = integer(raw.text().replace("_", ""));
    if (whole == null) {
      return Optional.of(decimalKey((float) value.doubleValue()));
    }
    return whole.canConvertToLong() ? Optional.of(whole.toString()) : Optional.empty();
  }

  /** Returns the shortest decimal that identifies a 32-bit float; large and small ones as 1e+20. */
  private static String decimalKey(float number) {
    if (!Float.isFinite(number)) {
      return Float.isNaN(number) ? ".nan" : number < 0 ? "-.inf" : ".inf";
    }
    if (number == 0) {
      return 1 / number < 0 ? "-0" : "0";
    }
    BigDecimal digits = new BigDecimal(Float.toString(number)).stripTrailingZeros();
    int power = digits.precision() - digits.scale() - 1;
    return power >= -4 && power < 6
        ? digits.toPlainString()
        : String.format(
            Locale.ROOT, "%se%+03d", digits.scaleByPowerOfTen(-power).toPlainString(), power);
  }

  private static JsonNode plain(String text) {
    if (NULLS.contains(text)) {
      return NODES.nullNode();
    }
    if (TRUE.contains(text) || FALSE.contains(text)) {
      return NODES.booleanNode(TRUE.contains(text));
    }
    JsonNode number = number(text);
    return number != null ? number : NODES.stringNode(text);
  }

  private static @Nullable JsonNode number(String text) {
    char first = text.charAt(0);
    if (first != '-' && first != '+' && first != '.' && !Character.isDigit(first)) {
      return null;
    }
    Double special = SPECIAL.get(text);
    if (special != null) {
      return NODES.numberNode((double) special);
    }
    String digits = text.replace("_", "");
    JsonNode integer = integer(digits);
    return integer != null ? integer : FLOAT.matcher(digits).matches() ? decimal(digits) : null;
  }

  /** Parses a 64-bit float; whole numbers without a fraction, as in JSON. */
  private static @Nullable JsonNode decimal(String digits) {
    double number = Double.parseDouble(digits);
    if (!Double.isFinite(number)) {
      return null;
    }
    BigDecimal value = new BigDecimal(Double.toString(number));
    boolean whole = value.signum() == 0 || value.stripTrailingZeros().scale() <= 0;
    return whole && value.precision() - value.scale() <= 21
        ? compact(value.toBigIntegerExact())
        : NODES.numberNode(value);
  }

  /** Parses an integer of at most 64 bits; null for other text. */
  private static @Nullable JsonNode integer(String text) {
    if (!INTEGER.matcher(text).matches()) {
      return null;
    }
    boolean negative = text.startsWith("-");
    String digits = negative || text.startsWith("+") ? text.substring(1) : text;
    int radix = 10;
    if (digits.length() > 1 && digits.charAt(0) == '0') {
      radix =
          switch (digits.charAt(1)) {
            case 'x', 'X' -> 16;
            case 'b', 'B' -> 2;
            default -> 8;
          };
      digits = digits.substring(Character.isLetter(digits.charAt(1)) ? 2 : 1);
    }
    if (digits.isEmpty() || digits.length() > Long.SIZE) {
      return null;
    }
    BigInteger value = new BigInteger(digits, radix);
    return value.bitLength() > Long.SIZE || negative && value.bitLength() == Long.SIZE
        ? null
        : compact(negative ? value.negate() : value);
  }

  private static JsonNode compact(BigInteger value) {
    return value.bitLength() < 32
        ? NODES.numberNode(value.intValue())
        : value.bitLength() < 64 ? NODES.numberNode(value.longValue()) : NODES.numberNode(value);
  }
}
