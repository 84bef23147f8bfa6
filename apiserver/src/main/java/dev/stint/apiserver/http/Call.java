package dev.stint.apiserver.http;

import dev.stint.apiserver.Warnings;
import dev.stint.apiserver.WriteOptions;
import dev.stint.apiserver.access.User;
import java.io.IOException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One request, free of how it came.
 *
 * @param method such as GET
 * @param path decoded, without the query
 * @param headers the value of a header, null where it is not there
 * @param body reads what the request carries; once
 * @param user who asks
 * @param options how what it writes is written
 * @param warnings what to tell the person who asks, whatever the answer is
 */
public record Call(
    String method,
    String path,
    QueryParameters query,
    Function<String, @Nullable String> headers,
    Body body,
    User user,
    WriteOptions options,
    Warnings warnings) {

  /** A request of somebody who is not known yet. */
  public Call(
      String method,
      String path,
      QueryParameters query,
      Function<String, @Nullable String> headers,
      Body body) {
    this(method, path, query, headers, body, User.ANONYMOUS, WriteOptions.PLAIN, new Warnings());
  }

  /**
   * A request of somebody who is not known yet, however it came.
   *
   * @param query as it stands in the request, still encoded; null where there is none
   */
  public static Call unknown(
      String method,
      String path,
      @Nullable String query,
      Function<String, @Nullable String> headers,
      Body body) {
    return new Call(method, path, QueryParameters.of(query), headers, body);
  }

  /** This request, of somebody who is known. */
  public Call of(User known, WriteOptions allowed) {
    return new Call(method, path, query, headers, body, known, allowed.warning(warnings), warnings);
  }

  /** This request with another body. */
  public Call with(Body other) {
    return new Call(method, path, query, headers, other, user, options, warnings);
  }

  /** What a request carries. */
  public interface Body {
    /** Waits for all of it. Throws {@code TOO_LARGE} above the limit. */
    byte[] read() throws IOException;
  }

  /** The value of a header; "" where it is not there. */
  public String header(String name) {
    String value = headers.apply(name);
    return value == null ? "" : value;
  }

  /** The media type of the body, without parameters; "" where none is named. */
  public String contentType() {
    String type = header("Content-Type");
    int semicolon = type.indexOf(';');
    return (semicolon < 0 ? type : type.substring(0, semicolon)).strip();
  }
}
