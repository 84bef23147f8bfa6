package dev.stint.apiserver.http;

import dev.stint.apiserver.access.User;
import dev.stint.apiserver.catalogue.ApiCatalogue;
import dev.stint.apiserver.catalogue.ApiResource;
import dev.stint.apiserver.write.AuditAnnotations;
import dev.stint.apiserver.write.Warnings;
import dev.stint.apiserver.write.WriteOptions;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import java.io.IOException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One request, independent of its transport.
 *
 * @param method such as GET
 * @param path decoded, without the query
 * @param headers returns the value of a header, null if it is absent
 * @param body reads the request's body; once
 * @param route the path and the method, parsed
 * @param user the user who makes the request
 * @param options the options of its writes
 * @param warnings collects warnings for the user, whatever the answer is
 * @param annotations collects annotations for the audit log
 */
public record Call(
    String method,
    String path,
    QueryParameters query,
    Function<String, @Nullable String> headers,
    Body body,
    Route route,
    User user,
    WriteOptions options,
    Warnings warnings,
    AuditAnnotations annotations) {

  /**
   * Creates a request of a user who is not authenticated yet.
   *
   * @param catalogue the resources that its path may name
   */
  public Call(
      ApiCatalogue catalogue,
      String method,
      String path,
      QueryParameters query,
      Function<String, @Nullable String> headers,
      Body body) {
    this(
        method,
        path,
        query,
        headers,
        body,
        Route.of(catalogue, method, path, query),
        User.ANONYMOUS,
        WriteOptions.PLAIN,
        new Warnings(),
        new AuditAnnotations());
  }

  /**
   * Returns a request of a user who is not authenticated yet.
   *
   * @param catalogue the resources that its path may name
   * @param query as it is in the request, still encoded; null if there is none
   */
  public static Call anonymous(
      ApiCatalogue catalogue,
      String method,
      String path,
      @Nullable String query,
      Function<String, @Nullable String> headers,
      Body body) {
    return new Call(catalogue, method, path, QueryParameters.of(query), headers, body);
  }

  /** Returns this request with its authenticated user. */
  public Call authenticated(User known, WriteOptions allowed) {
    WriteOptions own = allowed.warning(warnings).of(known.name(), annotations);
    return new Call(method, path, query, headers, body, route, known, own, warnings, annotations);
  }

  /** Returns this request with another body. */
  public Call with(Body other) {
    return new Call(
        method, path, query, headers, other, route, user, options, warnings, annotations);
  }

  /** The body of a request. */
  public interface Body {
    /** Reads the whole body. Blocks. Throws {@code TOO_LARGE} above the limit. */
    byte[] read() throws IOException;

    /**
     * Reads the whole body, which may have no more than this many bytes. Blocks. Throws {@code
     * TOO_LARGE} otherwise.
     */
    default byte[] read(int longest) throws IOException {
      byte[] body = read();
      if (body.length > longest) {
        throw new ClusterException(
            Reason.TOO_LARGE, "the request is too large: limit is " + longest + " bytes");
      }
      return body;
    }

    /**
     * Counts the request as one of this user from now on. Throws {@code TOO_MANY_REQUESTS} if the
     * user has too many.
     */
    default void identify(User user) {}

    /** Runs a task once the answer has been sent, or whatever comes instead. */
    default void onEnd(Runnable task) {}
  }

  /**
   * Returns the resource that the path names.
   *
   * @throws IllegalStateException if it names none that is served
   */
  public ApiResource resource() {
    return route instanceof Route.Resource named && named.served().isPresent()
        ? named.served().get()
        : fail(path);
  }

  private static ApiResource fail(String path) {
    throw new IllegalStateException("no resource is served at " + path);
  }

  /** Returns the value of a header; "" if it is absent. */
  public String header(String name) {
    String value = headers.apply(name);
    return value == null ? "" : value;
  }

  /** Returns the media type of the body, without parameters; "" if none is named. */
  public String contentType() {
    String type = header("Content-Type");
    int semicolon = type.indexOf(';');
    return (semicolon < 0 ? type : type.substring(0, semicolon)).strip();
  }
}
