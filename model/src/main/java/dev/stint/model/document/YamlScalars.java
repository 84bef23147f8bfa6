package dev.stint.model.document;

import dev.stint.model.document.RawNode.RawValue;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** What a plain scalar means: the rules of YAML 1.1 as kubectl applies them. */
final class YamlScalars {
  static final String STRING_TAG = "tag:yaml.org,2002:str";

  private static final String TAGS = "tag:yaml.org,2002:";
  private static final Set<String> NULLS = Set.of("", "~", "null", "Null", "NULL");
  private static final Set<String> TRUE =
      Set.of("true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON", "y", "Y");
  private static final Set<String> FALSE =
      Set.of("false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF", "n", "N");
  private static final Pattern INTEGER =
      Pattern.compile("[-+]?(0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO]?[0-7_]*|[1-9][0-9_]*)");
  private static final Pattern FLOAT =
      Pattern.compile("[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]{1,4})?");
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private YamlScalars() {}

  /** The value of a scalar; empty where its tag does not allow it. */
  static Optional<RawValue> resolve(int line, String tag, String text) {
    if (tag.equals(STRING_TAG) || tag.equals("!")) {
      return Optional.of(new RawValue(line, NODES.stringNode(text), text));
    }
    JsonNode value = plain(text);
    boolean fits =
        switch (tag.startsWith(TAGS) ? tag.substring(TAGS.length()) : tag) {
          case "" -> true;
          case "null" -> value.isNull();
          case "bool" -> value.isBoolean();
          case "int" -> value.isIntegralNumber();
          case "float" -> value.isNumber();
          default -> false;
        };
    return fits ? Optional.of(new RawValue(line, value, text)) : Optional.empty();
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
    if (INTEGER.matcher(text).matches()) {
      return integer(text);
    }
    if (FLOAT.matcher(text).matches()) {
      BigDecimal value = new BigDecimal(text.endsWith(".") ? text + "0" : text);
      boolean whole = value.signum() == 0 || value.stripTrailingZeros().scale() <= 0;
      return whole && value.precision() - value.scale() <= 21
          ? compact(value.toBigIntegerExact())
          : NODES.numberNode(value);
    }
    return null;
  }

  private static @Nullable JsonNode integer(String text) {
    boolean negative = text.startsWith("-");
    String digits = text.replace("_", "");
    digits = negative || digits.startsWith("+") ? digits.substring(1) : digits;
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
    if (digits.isEmpty() || digits.length() > 400) {
      return null;
    }
    BigInteger value = new BigInteger(digits, radix);
    return compact(negative ? value.negate() : value);
  }

  private static JsonNode compact(BigInteger value) {
    return value.bitLength() < 32
        ? NODES.numberNode(value.intValue())
        : value.bitLength() < 64 ? NODES.numberNode(value.longValue()) : NODES.numberNode(value);
  }
}
