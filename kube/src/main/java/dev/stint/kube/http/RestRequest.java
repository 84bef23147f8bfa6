package dev.stint.kube.http;

import org.jspecify.annotations.Nullable;

/**
 * A request to an API server.
 *
 * @param method such as GET
 * @param path the path and the query, relative to the server's address, without a leading slash
 * @param accepted the media types that the answer may have
 * @param content null if nothing is sent
 */
public record RestRequest(String method, String path, String accepted, @Nullable Content content) {
  /**
   * The body of a request.
   *
   * @param type its media type
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Content(String type, byte[] bytes) {}

  /** Returns a request that reads something. */
  public static RestRequest get(String path, String accepted) {
    return new RestRequest("GET", path, accepted, null);
  }

  boolean isGet() {
    return method.equals("GET");
  }
}
