package dev.stint.apiextensions.value;

import com.google.re2j.Pattern;
import dev.stint.model.field.Formats;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The formats of texts that Kubernetes enforces. A format that it does not know accepts all. */
public final class TextFormats {
  private static final String HEX = "[0-9a-fA-F]";
  private static final String WORD = "[^\\s@<>,;:\\\\\"\\[\\]()]+";
  private static final String ADDRESS = WORD + "@" + WORD;

  /** The name before an address in angle brackets: words, some of them in quotes. */
  private static final String NAME = "(\\s*(" + WORD + "|\"([^\"\\\\]|\\\\.)*\"))*";

  private static final Predicate<String> TIME =
      matching("([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]+)?(z|[+-][0-9]{2}:[0-9]{2})");

  private static final Map<String, Predicate<String>> FORMATS =
      Map.ofEntries(
          Map.entry("bsonobjectid", matching(HEX + "{24}")),
          Map.entry("uri", text -> RequestUri.parse(text) != null),
          Map.entry("email", matching(ADDRESS + "|" + NAME + "\\s*<" + ADDRESS + ">\\s*")),
          Map.entry("hostname", TextFormats::isHostname),
          Map.entry("ipv4", text -> text.indexOf(':') < 0 && Formats.ipAddress(text) == null),
          Map.entry("ipv6", text -> text.indexOf(':') >= 0 && Formats.ipAddress(text) == null),
          Map.entry("cidr", TextFormats::isCidr),
          Map.entry("mac", TextFormats::isMac),
          Map.entry("uuid", uuid("[0-9a-fA-F]", HEX)),
          Map.entry("uuid3", uuid("3", HEX)),
          Map.entry("uuid4", uuid("4", "[89abAB]")),
          Map.entry("uuid5", uuid("5", "[89abAB]")),
          Map.entry("isbn", text -> isIsbn10(text) || isIsbn13(text)),
          Map.entry("isbn10", TextFormats::isIsbn10),
          Map.entry("isbn13", TextFormats::isIsbn13),
          Map.entry("creditcard", TextFormats::isCreditCard),
          Map.entry("ssn", matching("[0-9]{3}[- ]?[0-9]{2}[- ]?[0-9]{4}")),
          Map.entry("hexcolor", matching("#?(" + HEX + "{3}|" + HEX + "{6})")),
          Map.entry("rgbcolor", matching(rgb())),
          Map.entry("byte", TextFormats::isBase64),
          Map.entry("date", TextFormats::isDate),
          Map.entry("duration", text -> Durations.parse(text) != null),
          Map.entry("datetime", TextFormats::isDateTime),
          Map.entry("k8s-short-name", Formats::isDnsLabel),
          Map.entry("k8s-long-name", Formats::isDnsSubdomain));

  private TextFormats() {}

  /** True if a text has a format, or the format is not known. */
  public static boolean matches(String format, String text) {
    Predicate<String> known = of(format);
    return known == null || known.test(text);
  }

  /** Returns the check of a format; null if the format is not known. {@code date-time} is one. */
  private static @Nullable Predicate<String> of(String format) {
    Predicate<String> known = FORMATS.get(format);
    return known != null || !format.equals("date-time") ? known : FORMATS.get("datetime");
  }

  private static Predicate<String> matching(String pattern) {
    Pattern compiled = Pattern.compile(pattern);
    return text -> compiled.matches(text);
  }

  private static Predicate<String> uuid(String version, String variant) {
    return matching(
        "(?i)%1$s{8}-?%1$s{4}-?%2$s%1$s{3}-?%3$s%1$s{3}-?%1$s{12}"
            .formatted(HEX, version, variant));
  }

  private static String rgb() {
    String part = "\\s*(0|[1-9][0-9]?|1[0-9][0-9]|2[0-4][0-9]|25[0-5])\\s*";
    return "rgb\\(" + part + "," + part + "," + part + "\\)";
  }

  private static boolean isHostname(String text) {
    if (text.isEmpty() || text.length() > 255) {
      return false;
    }
    for (String label : text.split("\\.", -1)) {
      if (!Formats.isDnsLabel(label.toLowerCase(Locale.ROOT))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isCidr(String text) {
    int slash = text.indexOf('/');
    if (slash < 0 || Formats.ipAddress(text.substring(0, slash)) != null) {
      return false;
    }
    String length = text.substring(slash + 1);
    int most = text.indexOf(':') >= 0 ? 128 : 32;
    return length.length() <= 3
        && !length.isEmpty()
        && length.chars().allMatch(c -> c >= '0' && c <= '9')
        && (length.length() == 1 || length.charAt(0) != '0')
        && Integer.parseInt(length) <= most;
  }

  private static boolean isMac(String text) {
    for (String separator : new String[] {":", "-"}) {
      String[] parts = text.split(separator, -1);
      boolean sized = parts.length == 6 || parts.length == 8 || parts.length == 20;
      if (sized && Arrays.stream(parts).allMatch(TextFormats::isHexByte)) {
        return true;
      }
    }
    String[] parts = text.split("\\.", -1);
    return (parts.length == 3 || parts.length == 4 || parts.length == 10)
        && Arrays.stream(parts).allMatch(part -> part.length() == 4 && isHex(part));
  }

  private static boolean isHexByte(String text) {
    return text.length() == 2 && isHex(text);
  }

  private static boolean isHex(String text) {
    return text.chars().allMatch(c -> Character.digit(c, 16) >= 0 && c < 128);
  }

  private static boolean isBase64(String text) {
    if (text.length() % 4 != 0) {
      return false;
    }
    try {
      var _ = Base64.getDecoder().decode(text);
      return true;
    } catch (IllegalArgumentException notBase64) {
      return false;
    }
  }

  private static boolean isDate(String text) {
    try {
      return text.length() == 10 && LocalDate.parse(text) != null;
    } catch (DateTimeException notADate) {
      return false;
    }
  }

  private static boolean isDateTime(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    int t = lower.indexOf('t');
    return t == 10 && isDate(text.substring(0, t)) && TIME.test(lower.substring(t + 1));
  }

  private static boolean isIsbn10(String text) {
    String digits = text.replace("-", "").replace(" ", "");
    if (digits.length() != 10) {
      return false;
    }
    int sum = 0;
    for (int i = 0; i < 10; i++) {
      char c = digits.charAt(i);
      boolean ten = i == 9 && (c == 'X' || c == 'x');
      if (!ten && (c < '0' || c > '9')) {
        return false;
      }
      sum += (10 - i) * (ten ? 10 : c - '0');
    }
    return sum % 11 == 0;
  }

  private static boolean isIsbn13(String text) {
    String digits = text.replace("-", "").replace(" ", "");
    if (digits.length() != 13 || !isDigits(digits)) {
      return false;
    }
    int sum = 0;
    for (int i = 0; i < 13; i++) {
      sum += (i % 2 == 0 ? 1 : 3) * (digits.charAt(i) - '0');
    }
    return sum % 10 == 0;
  }

  /** Checks the sum of a card's number, which has 13 to 19 digits. */
  private static boolean isCreditCard(String text) {
    String digits = text.replace("-", "").replace(" ", "");
    if (digits.length() < 13 || digits.length() > 19 || !isDigits(digits)) {
      return false;
    }
    int sum = 0;
    for (int i = 0; i < digits.length(); i++) {
      int digit = digits.charAt(digits.length() - 1 - i) - '0';
      int weighted = i % 2 == 0 ? digit : 2 * digit;
      sum += weighted > 9 ? weighted - 9 : weighted;
    }
    return sum % 10 == 0;
  }

  private static boolean isDigits(String text) {
    return text.chars().allMatch(c -> c >= '0' && c <= '9');
  }
}
