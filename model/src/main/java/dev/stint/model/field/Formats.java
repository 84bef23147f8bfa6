package dev.stint.model.field;

import java.nio.charset.StandardCharsets;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The formats of names in Kubernetes. Each method returns a description of the fault, or null if
 * the text is valid.
 */
public final class Formats {
  private static final int LABEL = 63;
  private static final int SUBDOMAIN = 253;
  private static final String LABEL_RULE =
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and"
          + " must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc',"
          + " regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
  private static final String SUBDOMAIN_RULE =
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or"
          + " '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex"
          + " used for validation is"
          + " '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
  private static final String NAME_RULE =
      "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end"
          + " with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used"
          + " for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
  static final String LABEL_VALUE_RULE =
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or"
          + " '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or"
          + " 'my_value',  or '12345', regex used for validation is"
          + " '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

  private Formats() {}

  /** Checks an RFC 1123 label, such as a container's name. */
  public static @Nullable String dnsLabel(String text) {
    return isDnsLabel(text) ? null : about(text, LABEL, LABEL_RULE);
  }

  /** Checks an RFC 1123 subdomain, such as a Job's name. */
  public static @Nullable String dnsSubdomain(String text) {
    return isDnsSubdomain(text) ? null : about(text, SUBDOMAIN, SUBDOMAIN_RULE);
  }

  /**
   * Checks a qualified name, such as {@code app} or {@code example.com/app}: keys of labels, types
   * of conditions.
   */
  public static @Nullable String qualifiedName(String text) {
    int slash = text.indexOf('/');
    if (slash != text.lastIndexOf('/')) {
      return about(text, "a qualified name may have at most one '/'; its " + NAME_RULE);
    }
    if (slash >= 0 && !isDnsSubdomain(text.substring(0, slash))) {
      return about(text, "prefix part " + SUBDOMAIN_RULE);
    }
    String name = text.substring(slash + 1);
    return isName(name)
        ? null
        : about(text, name.length() > LABEL ? "name part " + atMost(LABEL) : NAME_RULE);
  }

  public static @Nullable String labelValue(String text) {
    return text.isEmpty() || isName(text) ? null : about(text, LABEL, LABEL_VALUE_RULE);
  }

  /** Describes the fault of a text that may be too long. */
  private static String about(String text, int most, String rule) {
    return about(text, text.length() > most ? atMost(most) : rule);
  }

  private static String about(String text, String rule) {
    return MessagePhrases.quoted(text) + ": " + rule;
  }

  private static String atMost(int characters) {
    return "must be no more than " + characters + " characters";
  }

  /** Checks a domain and a path, such as {@code example.com/foo} (KEP-4368, API). */
  public static @Nullable String domainPrefixedPath(String text) {
    int slash = text.indexOf('/');
    if (slash <= 0 || slash == text.length() - 1) {
      return MessagePhrases.quoted(text) + " must be a domain and a path, such as example.com/foo";
    }
    if (!isDnsSubdomain(text.substring(0, slash))) {
      return about(text, "prefix part " + SUBDOMAIN_RULE);
    }
    return allMatch(text.substring(slash + 1), Formats::isPathCharacter)
        ? null
        : MessagePhrases.quoted(text)
            + ": the part after the first '/' must consist of letters, digits and /-._~%!$&'()*+,;=:";
  }

  /** Checks one segment of a path, such as a role's name, which may contain nearly anything. */
  public static @Nullable String pathSegment(String text) {
    boolean sound =
        !text.equals(".") && !text.equals("..") && !text.contains("/") && !text.contains("%");
    return sound
        ? null
        : MessagePhrases.quoted(text)
            + " must not be \".\" or \"..\", and must not contain '/' or '%'";
  }

  /** Checks a port's name (RFC 6335). */
  public static @Nullable String portName(String text) {
    boolean sound =
        !text.isEmpty()
            && text.length() <= 15
            && allMatch(text, c -> c == '-' || isLowerOrDigit(c))
            && text.chars().anyMatch(c -> c >= 'a' && c <= 'z')
            && !text.contains("--")
            && !text.startsWith("-")
            && !text.endsWith("-");
    return sound
        ? null
        : MessagePhrases.quoted(text)
            + " must consist of lower case letters, digits and single '-' between them, contain a letter, and"
            + " have at most 15 characters";
  }

  /** Checks a variable's name: any printable ASCII but '='. */
  public static @Nullable String environmentName(String text) {
    return !text.isEmpty() && allMatch(text, c -> c >= 32 && c < 127 && c != '=')
        ? null
        : MessagePhrases.quoted(text)
            + " must consist of printable ASCII characters other than '='";
  }

  /** Checks a key of a config map or secret. */
  public static @Nullable String configKey(String text) {
    boolean sound =
        !text.isEmpty()
            && text.length() <= SUBDOMAIN
            && allMatch(text, c -> isLetterOrDigit(c) || c == '-' || c == '_' || c == '.')
            && !text.equals(".")
            && !text.startsWith("..");
    return sound
        ? null
        : MessagePhrases.quoted(text)
            + " must consist of letters, digits, '-', '_' and '.', have at most 253 characters, and not"
            + " start with \"..\"";
  }

  /** Checks an IPv4 or IPv6 address. */
  public static @Nullable String ipAddress(String text) {
    return isIpv4(text) || isIpv6(text)
        ? null
        : MessagePhrases.quoted(text) + " must be an IP address, such as 10.0.0.1 or fd00::1";
  }

  /** Checks an IPv4 or IPv6 network, such as 10.0.0.0/8. */
  public static @Nullable String cidr(String text) {
    int slash = text.indexOf('/');
    String address = slash < 0 ? "" : text.substring(0, slash);
    String bits = text.substring(slash + 1);
    int most = isIpv4(address) ? 32 : 128;
    boolean sound =
        (isIpv4(address) || isIpv6(address)) && isByte(bits) && Integer.parseInt(bits) <= most;
    return sound ? null : MessagePhrases.quoted(text) + " must be a network, such as 10.0.0.0/8";
  }

  /** Returns the length of a text in bytes of UTF-8, which Kubernetes limits. */
  public static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  public static boolean isDnsLabel(String text) {
    return !text.isEmpty()
        && text.length() <= LABEL
        && isLowerOrDigit(text.charAt(0))
        && isLowerOrDigit(text.charAt(text.length() - 1))
        && allMatch(text, c -> isLowerOrDigit(c) || c == '-');
  }

  public static boolean isDnsSubdomain(String text) {
    if (text.isEmpty() || text.length() > SUBDOMAIN) {
      return false;
    }
    int start = 0;
    for (int i = 0; i <= text.length(); i++) {
      if (i == text.length() || text.charAt(i) == '.') {
        if (!isUnboundedLabel(text, start, i)) {
          return false;
        }
        start = i + 1;
      }
    }
    return true;
  }

  private static boolean isUnboundedLabel(String text, int start, int end) {
    if (start == end
        || !isLowerOrDigit(text.charAt(start))
        || !isLowerOrDigit(text.charAt(end - 1))) {
      return false;
    }
    for (int i = start; i < end; i++) {
      if (!isLowerOrDigit(text.charAt(i)) && text.charAt(i) != '-') {
        return false;
      }
    }
    return true;
  }

  private static boolean isName(String text) {
    return !text.isEmpty()
        && text.length() <= LABEL
        && isLetterOrDigit(text.charAt(0))
        && isLetterOrDigit(text.charAt(text.length() - 1))
        && allMatch(text, c -> isLetterOrDigit(c) || c == '-' || c == '_' || c == '.');
  }

  private static boolean allMatch(String text, IntPredicate sound) {
    for (int i = 0; i < text.length(); i++) {
      if (!sound.test(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isIpv4(String text) {
    int numbers = 0;
    int start = 0;
    for (int i = 0; i <= text.length(); i++) {
      if (i == text.length() || text.charAt(i) == '.') {
        if (!isByte(text.substring(start, i))) {
          return false;
        }
        numbers++;
        start = i + 1;
      }
    }
    return numbers == 4;
  }

  /** True if a text is a number up to 255 without leading zeros. */
  private static boolean isByte(String text) {
    return !text.isEmpty()
        && text.length() <= 3
        && allMatch(text, c -> c >= '0' && c <= '9')
        && (text.length() == 1 || text.charAt(0) != '0')
        && Integer.parseInt(text) <= 255;
  }

  private static boolean isIpv6(String text) {
    int gap = text.indexOf("::");
    if (gap < 0) {
      return groups(text) == 8;
    }
    String before = text.substring(0, gap);
    String after = text.substring(gap + 2);
    int left = before.isEmpty() ? 0 : groups(before);
    int right = after.isEmpty() ? 0 : groups(after);
    return left >= 0 && right >= 0 && left + right < 8;
  }

  /**
   * Counts the groups of hexadecimal digits, with an IPv4 address at the end as two; -1 if there is
   * a fault.
   */
  private static int groups(String text) {
    String[] parts = text.split(":", -1);
    int count = 0;
    for (int i = 0; i < parts.length; i++) {
      if (i == parts.length - 1 && isIpv4(parts[i])) {
        count += 2;
      } else if (parts[i].matches("[0-9a-fA-F]{1,4}")) {
        count++;
      } else {
        return -1;
      }
    }
    return count;
  }

  private static boolean isPathCharacter(int c) {
    return isLetterOrDigit(c) || "/-._~%!$&'()*+,;=:".indexOf(c) >= 0;
  }

  private static boolean isLowerOrDigit(int c) {
    return c >= 'a' && c <= 'z' || c >= '0' && c <= '9';
  }

  private static boolean isLetterOrDigit(int c) {
    return isLowerOrDigit(c) || c >= 'A' && c <= 'Z';
  }
}
