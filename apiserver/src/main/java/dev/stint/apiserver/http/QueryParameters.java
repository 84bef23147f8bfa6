package dev.stint.apiserver.http;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The parameters of a request's query. */
public final class QueryParameters {
  private final Map<String, List<String>> values = new LinkedHashMap<>();
  private final String raw;

  private QueryParameters(String raw) {
    this.raw = raw;
  }

  /**
   * @param raw as it is in the request, still encoded; null if there is none
   */
  public static QueryParameters of(@Nullable String raw) {
    QueryParameters query = new QueryParameters(raw == null ? "" : raw);
    if (raw != null && !raw.isEmpty()) {
      for (String pair : raw.split("&", -1)) {
        int equals = pair.indexOf('=');
        String name = decoded(equals < 0 ? pair : pair.substring(0, equals));
        String value = equals < 0 ? "" : decoded(pair.substring(equals + 1));
        query.values.computeIfAbsent(name, _ -> new ArrayList<>()).add(value);
      }
    }
    return query;
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException broken) {
      throw new ClusterException(Reason.BAD_REQUEST, "malformed query: " + text);
    }
  }

  /** Returns the query as it is in the request, still encoded; "" if there is none. */
  public String raw() {
    return raw;
  }

  /** Returns the first value, "" if there is none. */
  public String text(String name) {
    List<String> found = values.get(name);
    return found == null ? "" : found.getFirst();
  }

  public List<String> all(String name) {
    return values.getOrDefault(name, List.of());
  }

  public boolean has(String name) {
    return !text(name).isEmpty();
  }

  /** True if the parameter is present, with whatever value. */
  public boolean names(String name) {
    return values.containsKey(name);
  }

  /** True if the parameter is present and is neither "false", in any case, nor "0". */
  public boolean flag(String name) {
    List<String> found = values.get(name);
    return found != null
        && !found.getFirst().equalsIgnoreCase("false")
        && !found.getFirst().equals("0");
  }

  /** Returns the value as a number of 0 or more; null if there is none. */
  public @Nullable Long number(String name) {
    return has(name) ? number(name, 0, "a non-negative number") : null;
  }

  /** Returns the value as a whole number; null if the parameter is absent. */
  public @Nullable Long integer(String name) {
    return names(name) ? number(name, Long.MIN_VALUE, "a whole number") : null;
  }

  private Long number(String name, long least, String meant) {
    String text = text(name);
    try {
      long number = Long.parseLong(text);
      if (number >= least) {
        return number;
      }
    } catch (NumberFormatException notOne) {
      // Not a number: refused below, like a number that is too small.
    }
    throw new ClusterException(
        Reason.BAD_REQUEST, "%s: \"%s\" is not %s".formatted(name, text, meant));
  }
}
