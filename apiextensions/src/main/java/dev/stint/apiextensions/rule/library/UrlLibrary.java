package dev.stint.apiextensions.rule.library;

import static dev.cel.common.types.SimpleType.BOOL;
import static dev.cel.common.types.SimpleType.STRING;

import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.stint.apiextensions.rule.cost.CostMeter;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Functions of URLs. */
public final class UrlLibrary {
  private UrlLibrary() {}

  /** Adds the functions of this library. */
  public static void addTo(Functions functions) {
    functions.type(Url.TYPE, Url.class);
    functions.function("isURL", BOOL, a -> parse(a[0]) != null, STRING);
    functions.function("url", Url.TYPE, a -> url(a[0]), STRING);
    part(functions, "getScheme", Url::scheme);
    part(functions, "getHost", Url::host);
    part(functions, "getHostname", Url::hostname);
    part(functions, "getPort", Url::port);
    part(functions, "getEscapedPath", Url::escapedPath);
    functions.method(
        "getQuery",
        MapType.create(STRING, ListType.create(STRING)),
        a -> ((Url) a[0]).query(),
        Url.TYPE);
  }

  private static void part(Functions functions, String name, Function<Url, String> part) {
    functions.method(name, STRING, a -> part.apply((Url) a[0]), Url.TYPE);
  }

  private static @Nullable Url parse(Object text) {
    CostMeter.chargeText(((String) text).length());
    return Url.parse((String) text);
  }

  private static Url url(Object text) {
    Url url = parse(text);
    if (url == null) {
      throw new IllegalArgumentException(
          "URL parse error during conversion from string: parse \""
              + text
              + "\": invalid URI for request");
    }
    return url;
  }
}
