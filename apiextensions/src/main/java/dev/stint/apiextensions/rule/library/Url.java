package dev.stint.apiextensions.rule.library;

import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;
import dev.stint.apiextensions.rule.cost.LibraryValue;
import dev.stint.apiextensions.value.RequestUri;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A URL in a rule, without its fragment. */
final class Url extends LibraryValue {
  static final CelType TYPE = OpaqueType.create("kubernetes.URL");

  private static final String IN_PATHS = "-_.~$&+,/:;=@";
  private static final String AS_WRITTEN = IN_PATHS + "!'()*[]";

  private final String text;
  private final RequestUri parts;

  private Url(String text, RequestUri parts) {
    this.text = text;
    this.parts = parts;
  }

  /** Parses a URL; null if the text is none. What follows a {@code #} is left out. */
  static @Nullable Url parse(String text) {
    int hash = text.indexOf('#');
    String plain = hash < 0 ? text : text.substring(0, hash);
    RequestUri parts = RequestUri.parse(text) == null ? null : RequestUri.parse(plain);
    return parts == null ? null : new Url(plain, parts);
  }

  String scheme() {
    return parts.scheme();
  }

  String host() {
    return parts.host();
  }

  /** Returns the host without its port and brackets. */
  String hostname() {
    String host = parts.host();
    String name = port().isEmpty() && !host.endsWith(":") ? host : withoutPort();
    return name.startsWith("[") && name.endsWith("]") ? name.substring(1, name.length() - 1) : name;
  }

  private String withoutPort() {
    return parts.host().substring(0, parts.host().lastIndexOf(':'));
  }

  String port() {
    String host = parts.host();
    int colon = host.lastIndexOf(':');
    return colon < 0 || colon < host.lastIndexOf(']') ? "" : host.substring(colon + 1);
  }

  /** Returns the path as it is written, if that is escaped; else escaped. */
  String escapedPath() {
    String path = parts.path();
    boolean isEscaped = path.chars().allMatch(c -> c == '%' || RequestUri.isPlain(c, AS_WRITTEN));
    if (isEscaped) {
      return path;
    }
    StringBuilder escaped = new StringBuilder();
    for (byte b :
        Objects.requireNonNull(RequestUri.unescaped(path, false))
            .getBytes(StandardCharsets.UTF_8)) {
      escaped.append(
          b > 0 && RequestUri.isPlain(b, IN_PATHS)
              ? (char) b
              : String.format(Locale.ROOT, "%%%02X", b));
    }
    return escaped.toString();
  }

  /** Returns the values of each key of the query. What cannot be read is left out. */
  Map<String, List<String>> query() {
    Map<String, List<String>> values = new LinkedHashMap<>();
    for (String part : parts.query().split("&")) {
      int equals = part.indexOf('=');
      String key = RequestUri.unescaped(equals < 0 ? part : part.substring(0, equals), true);
      String value = equals < 0 ? "" : RequestUri.unescaped(part.substring(equals + 1), true);
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
