package dev.stint.apiextensions.value;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An absolute URI or an absolute path, as Go reads it: spaces and other characters that a URI would
 * escape are allowed in a path.
 *
 * @param scheme in lower case; "" for a path alone
 * @param host with its port; "" for none
 * @param path as it is written
 * @param query as it is written; "" for none
 */
public record RequestUri(String scheme, String host, String path, String query) {
  private static final String IN_HOSTS = "-_.~!$&'()*+,;=:[]<>\"";
  private static final String IN_USERS = "-._:~!$&'()*+,;=%@";

  /** Parses a URI; null if the text is none. A {@code #} is a character like others. */
  public static @Nullable RequestUri parse(String text) {
    int colon = schemeEnd(text);
    if (colon == 0 || text.isEmpty() || text.chars().anyMatch(c -> c < ' ' || c == 0x7f)) {
      return null;
    }
    String scheme = colon < 0 ? "" : text.substring(0, colon).toLowerCase(Locale.ROOT);
    String rest = text.substring(colon + 1);
    int mark = rest.indexOf('?');
    String query = mark < 0 ? "" : rest.substring(mark + 1);
    String place = mark < 0 ? rest : rest.substring(0, mark);
    if (!place.startsWith("/")) {
      return scheme.isEmpty() ? null : new RequestUri(scheme, "", "", query);
    }
    if (scheme.isEmpty() || !place.startsWith("//")) {
      return unescaped(place, false) == null ? null : new RequestUri(scheme, "", place, query);
    }
    int slash = place.indexOf('/', 2);
    String path = slash < 0 ? "" : place.substring(slash);
    String host = host(place.substring(2, slash < 0 ? place.length() : slash));
    return host == null || unescaped(path, false) == null
        ? null
        : new RequestUri(scheme, host, path, query);
  }

  /** Returns where the scheme ends; -1 if there is none, and 0 if it is empty. */
  private static int schemeEnd(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == ':') {
        return i;
      }
      boolean isLater = i > 0 && (c >= '0' && c <= '9' || "+-.".indexOf(c) >= 0);
      if (!isLetter(c) && !isLater) {
        return -1;
      }
    }
    return -1;
  }

  private static boolean isLetter(int c) {
    return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
  }

  /** True for letters, digits and some more characters. */
  public static boolean isPlain(int c, String more) {
    return isLetter(c) || c >= '0' && c <= '9' || more.indexOf(c) >= 0;
  }

  /** Returns the host and port of an authority; null if they are none. */
  private static @Nullable String host(String authority) {
    int at = authority.lastIndexOf('@');
    if (at >= 0 && !authority.substring(0, at).chars().allMatch(c -> isPlain(c, IN_USERS))) {
      return null;
    }
    String host = authority.substring(at + 1);
    int bracket = host.startsWith("[") ? host.lastIndexOf(']') : -1;
    if (host.startsWith("[") && bracket < 0) {
      return null;
    }
    int colon = bracket < 0 ? host.lastIndexOf(':') : bracket + 1;
    String port = colon < 0 ? "" : host.substring(colon);
    boolean isPort =
        port.isEmpty()
            || port.startsWith(":") && port.chars().skip(1).allMatch(c -> c >= '0' && c <= '9');
    boolean isHost = host.chars().allMatch(c -> c >= 0x80 || c == '%' || isPlain(c, IN_HOSTS));
    return isPort && isHost ? unescaped(host, false) : null;
  }

  /**
   * Returns a text with the characters that its escapes stand for; null if one is broken.
   *
   * @param hasPlus true if a plus stands for a space, as in queries
   */
  public static @Nullable String unescaped(String text, boolean hasPlus) {
    if (text.indexOf('%') < 0) {
      return hasPlus ? text.replace('+', ' ') : text;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    byte[] from = text.getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < from.length; i++) {
      if (from[i] == '%') {
        int high = i + 2 < from.length ? Character.digit(from[i + 1], 16) : -1;
        int low = high < 0 ? -1 : Character.digit(from[i + 2], 16);
        if (low < 0) {
          return null;
        }
        bytes.write(high << 4 | low);
        i += 2;
      } else {
        bytes.write(hasPlus && from[i] == '+' ? ' ' : from[i]);
      }
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
