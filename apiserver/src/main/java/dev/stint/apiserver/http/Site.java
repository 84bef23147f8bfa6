package dev.stint.apiserver.http;

import java.io.IOException;

/**
 * What is served beside the API under a path of its own, and decides by itself who may see it: the
 * API's own rules of who may do what are not asked.
 */
public interface Site {
  /** The path that all of its paths begin with, such as {@code /console}. */
  String root();

  /** Answers a request for one of its paths. */
  ApiResponse answer(Call call) throws IOException;

  /** Whether a path is one of its. */
  default boolean has(String path) {
    return path.equals(root()) || path.startsWith(root() + "/");
  }
}
