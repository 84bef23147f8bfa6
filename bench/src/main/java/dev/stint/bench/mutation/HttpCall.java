package dev.stint.bench.mutation;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A request, independent of its transport.
 *
 * @param target the path and the query, encoded
 * @param headers without those of the transport
 */
@SuppressWarnings("ArrayRecordComponent") // sent, never compared
public record HttpCall(String method, String target, Map<String, String> headers, byte[] body) {
  static HttpCall of(String method, String target) {
    return new HttpCall(method, target, Map.of(), new byte[0]);
  }

  static HttpCall of(String method, String target, String type, String body) {
    return of(method, target, type, body.getBytes(StandardCharsets.UTF_8));
  }

  static HttpCall of(String method, String target, String type, byte[] body) {
    return new HttpCall(method, target, Map.of("Content-Type", type), body);
  }

  HttpCall withMethod(String other) {
    return new HttpCall(other, target, headers, body);
  }

  HttpCall withTarget(String other) {
    return new HttpCall(method, other, headers, body);
  }

  HttpCall withBody(byte[] other) {
    return new HttpCall(method, target, headers, other);
  }

  HttpCall withHeader(String name, String value) {
    Map<String, String> all = new LinkedHashMap<>(headers);
    all.put(name, value);
    return new HttpCall(method, target, all, body);
  }

  boolean hasJson() {
    String type = headers.getOrDefault("Content-Type", "");
    return type.endsWith("json");
  }

  /** Returns the path, without the query. */
  String path() {
    int mark = target.indexOf('?');
    return mark < 0 ? target : target.substring(0, mark);
  }

  /** Returns the query; "" if there is none. */
  String query() {
    int mark = target.indexOf('?');
    return mark < 0 ? "" : target.substring(mark + 1);
  }

  /** True if the answer may be a stream that does not end by itself. */
  public boolean mayStream() {
    return target.contains("watch") || target.contains("follow") || target.contains("%");
  }

  @Override
  public String toString() {
    String text = new String(body, StandardCharsets.ISO_8859_1);
    return "%s %s %s (%d bytes) %s"
        .formatted(
            method, target, headers, body.length, text.substring(0, Math.min(text.length(), 400)));
  }
}
