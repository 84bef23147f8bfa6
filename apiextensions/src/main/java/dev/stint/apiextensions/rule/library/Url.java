package dev.stint.apiextensions.rule.library;

import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;
import dev.stint.apiextensions.rule.cost.LibraryValue;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An absolute URI or an absolute path, as Go reads it: spaces and other characters that a URI would
 * escape are allowed in a path.
 */
final class Url extends LibraryValue {
  static final CelType TYPE = OpaqueType.create("kubernetes.URL");

  private static final String IN_PATHS = "-_.~$&+,/:;=@";
  private static final String AS_WRITTEN = IN_PATHS + "!'()*[]";
  private static final String IN_HOSTS = "-_.~!$&'()*+,;=:[]<>\"";
  private static final String IN_USERS = "-._:~!$&'()*+,;=%@";

  private final String text;
  private final String scheme;
  private final String host;
  private final String path;
  private final String query;

  private Url(String text, String scheme, String host, String path, String query) {
    this.text = text;
    this.scheme = scheme;
    this.host = host;
    this.path = path;
    this.query = query;
  }

  /** Parses a URL; null if the text is none. */
  static @Nullable Url parse(String text) {
    return read(text) == null ? null : read(text.replaceFirst("#.*$", ""));
  }

  private static @Nullable Url read(String text) {
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
      return scheme.isEmpty() ? null : new Url(text, scheme, "", "", query);
    }
    if (scheme.isEmpty() || !place.startsWith("//")) {
      return unescaped(place, false) == null ? null : new Url(text, scheme, "", place, query);
    }
    int slash = place.indexOf('/', 2);
    String path = slash < 0 ? "" : place.substring(slash);
    String host = host(place.substring(2, slash < 0 ? place.length() : slash));
    return host == null || unescaped(path, false) == null
        ? null
        : new Url(text, scheme, host, path, query);
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

  private static boolean isPlain(int c, String more) {
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

  private static @Nullable String unescaped(String text, boolean hasPlus) {
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

  String scheme() {
    return scheme;
  }

  String host() {
    return host;
  }

  /** Returns the host without its port and brackets. */
  String hostname() {
    String name = port().isEmpty() && !host.endsWith(":") ? host : withoutPort();
    return name.startsWith("[") && name.endsWith("]") ? name.substring(1, name.length() - 1) : name;
  }

  private String withoutPort() {
    return host.substring(0, host.lastIndexOf(':'));
  }

  String port() {
    int colon = host.lastIndexOf(':');
    return colon < 0 || colon < host.lastIndexOf(']') ? "" : host.substring(colon + 1);
  }

  /** Returns the path as it is written, if that is escaped; else escaped. */
  String escapedPath() {
    boolean isEscaped = path.chars().allMatch(c -> c == '%' || isPlain(c, AS_WRITTEN));
    if (isEscaped) {
      return path;
    }
    StringBuilder escaped = new StringBuilder();
    for (byte b : Objects.requireNonNull(unescaped(path, false)).getBytes(StandardCharsets.UTF_8)) {
      escaped.append(
          b > 0 && isPlain(b, IN_PATHS) ? (char) b : String.format(Locale.ROOT, "%%%02X", b));
    }
    return escaped.toString();
  }

  /** Returns the values of each key of the query. What cannot be read is left out. */
  Map<String, List<String>> query() {
    Map<String, List<String>> values = new LinkedHashMap<>();
    for (String part : query.split("&")) {
      int equals = part.indexOf('=');
      String key = unescaped(equals < 0 ? part : part.substring(0, equals), true);
      String value = equals < 0 ? "" : unescaped(part.substring(equals + 1), true);
      if (!part.isEmpty() && part.indexOf(';') < 0 && key != null && value != null) {
        values.computeIfAbsent(key, _ -> new ArrayList<>()).add(value);
      }
    }
    return values;
  }

  @Override
  public CelType celType() {
    return TYPE;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Url url && text.equals(url.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
