package dev.stint.model.document;

import dev.stint.model.Quantity;
import dev.stint.model.Timestamps;
import dev.stint.model.document.RawNode.RawArray;
import dev.stint.model.document.RawNode.RawObject;
import dev.stint.model.document.RawNode.RawValue;
import dev.stint.model.schema.ValueType.Scalar;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Decodes single values: checks their type, and returns their canonical form or the fault. */
final class ScalarDecoder {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final int SHOWN = 40;
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  private ScalarDecoder() {}

  /** Returns the canonical value; null if it does not fit the type. */
  static @Nullable JsonNode decode(RawNode raw, Scalar type) {
    if (!(raw instanceof RawValue one)) {
      return type == Scalar.BYTES && raw instanceof RawArray array ? bytes(array) : null;
    }
    JsonNode value = one.value();
    return switch (type) {
      case STRING -> value.isString() ? wellFormed(value) : null;
      case BOOLEAN -> value.isBoolean() ? value : null;
      case INT32 -> value.isIntegralNumber() && value.canConvertToInt() ? value : null;
      case INT64 -> value.isIntegralNumber() && value.canConvertToLong() ? value : null;
      case QUANTITY -> quantity(one);
      case INT_OR_STRING -> value.isString() ? wellFormed(value) : decode(raw, Scalar.INT32);
      case TIME, MICRO_TIME -> time(value, type == Scalar.MICRO_TIME);
      case BYTES -> bytes(value);
      case ANY -> value;
    };
  }

  /** Describes the expected type, the value found, and the remedy. */
  static String complaint(RawValue found, Scalar type) {
    String start = "must be " + expectation(type) + ", found " + describe(found);
    if (type == Scalar.STRING) {
      return start + "; put it in quotes: \"" + shortened(found.text()) + "\"";
    }
    boolean quoted = found.value().isString();
    boolean number = type == Scalar.INT32 || type == Scalar.INT64;
    if (quoted
        && (number && isInteger(found.text()) || type == Scalar.BOOLEAN && isBoolean(found))) {
      return start + "; write it without quotes";
    }
    return start;
  }

  static String expectation(Scalar type) {
    return switch (type) {
      case STRING -> "text";
      case BOOLEAN -> "true or false";
      case INT32 -> "a whole number from -2147483648 to 2147483647";
      case INT64 -> "a whole number";
      case QUANTITY -> "a quantity such as 500m, 2 or 1Gi";
      case INT_OR_STRING -> "a whole number or text";
      case TIME -> "a time such as 2026-01-31T12:00:00Z";
      case MICRO_TIME -> "a time such as 2026-01-31T12:00:00.000000Z";
      case BYTES -> "base64 text";
      case ANY -> "anything";
    };
  }

  static String describe(RawNode raw) {
    return switch (raw) {
      case RawObject object -> "an object";
      case RawArray array -> "a list";
      case RawValue value when value.value().isString() ->
          "the text \"" + shortened(value.text()) + "\"";
      case RawValue value when value.value().isNumber() -> "the number " + shortened(value.text());
      case RawValue value -> shortened(value.text());
    };
  }

  private static boolean isInteger(String text) {
    return text.matches("-?[0-9]{1,9}");
  }

  private static boolean isBoolean(RawValue value) {
    return value.text().equals("true") || value.text().equals("false");
  }

  private static String shortened(String text) {
    String line = text.lines().findFirst().orElse("");
    return line.length() <= SHOWN && line.length() == text.length()
        ? text
        : line.substring(0, Math.min(line.length(), SHOWN)) + "...";
  }

  private static JsonNode wellFormed(JsonNode text) {
    String given = text.stringValue();
    String sound = wellFormed(given);
    return sound.equals(given) ? text : NODES.stringNode(sound);
  }

  /**
   * Returns the text with U+FFFD in place of unpaired surrogates, which no encoding can express.
   */
  static String wellFormed(String text) {
    if (!hasSurrogate(text)) {
      return text;
    }
    return text.codePoints()
        .map(point -> point <= 0xFFFF && Character.isSurrogate((char) point) ? 0xFFFD : point)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  /** Loops: as a stream it took two thirds of the time of decoding values. */
  private static boolean hasSurrogate(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        return true;
      }
    }
    return false;
  }

  private static @Nullable JsonNode quantity(RawValue raw) {
    if (!raw.value().isString() && !raw.value().isNumber()) {
      return null;
    }
    String canonical = Quantity.canonical(raw.json());
    return canonical == null ? null : NODES.stringNode(canonical);
  }

  private static @Nullable JsonNode time(JsonNode value, boolean micros) {
    Instant time = value.isString() ? Timestamps.parseStrictly(value.stringValue(), micros) : null;
    if (time == null) {
      return null;
    }
    return NODES.stringNode(
        micros ? MICROS.format(time) : time.truncatedTo(ChronoUnit.SECONDS).toString());
  }

  /** Returns the bytes of a list of numbers, which Go accepts too. */
  private static @Nullable JsonNode bytes(RawArray array) {
    ByteArrayOutputStream found = new ByteArrayOutputStream();
    for (RawNode item : array.items()) {
      if (!(item instanceof RawValue one)) {
        return null;
      }
      JsonNode value = one.value();
      boolean octet = value.isIntegralNumber() && value.canConvertToInt();
      int number = value.isNull() ? 0 : octet ? value.intValue() : -1;
      if (number < 0 || number > 255) {
        return null;
      }
      found.write(number);
    }
    return NODES.stringNode(Base64.getEncoder().encodeToString(found.toByteArray()));
  }

  private static @Nullable JsonNode bytes(JsonNode value) {
    if (!value.isString()) {
      return null;
    }
    try {
      String text = value.stringValue().replace("\n", "").replace("\r", "");
      byte[] decoded = Base64.getDecoder().decode(text);
      boolean padded = text.length() % 4 == 0;
      return padded ? NODES.stringNode(Base64.getEncoder().encodeToString(decoded)) : null;
    } catch (IllegalArgumentException notBase64) {
      return null;
    }
  }
}
