package dev.stint.apiserver.http;

import dev.stint.apiserver.discovery.Discovery;
import org.jspecify.annotations.Nullable;

/** Stand-in. */
final class Documents {
  private Documents() {}

  static @Nullable Reply of(String path, Query query, String accept) {
    Discovery.class.getName();
    return null;
  }
}
