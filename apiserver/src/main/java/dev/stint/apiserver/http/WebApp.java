package dev.stint.apiserver.http;

import java.io.IOException;

/**
 * A web application that is served beside the API under its own path. It does its own access
 * control, since the API's authorization does not apply, and reports the user of each request with
 * {@link Call.Body#identify}.
 */
public interface WebApp {
  /** Returns the prefix of its paths, such as {@code /console}. */
  String root();

  /** Answers a request for one of its paths. */
  ApiResponse answer(Call call) throws IOException;

  /** True if a path belongs to the application. */
  default boolean has(String path) {
    return path.equals(root()) || path.startsWith(root() + "/");
  }
}
