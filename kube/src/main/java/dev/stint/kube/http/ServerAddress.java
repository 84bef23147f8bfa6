package dev.stint.kube.http;

import java.net.URI;

/**
 * Where an API server is.
 *
 * @param host without the brackets of an IPv6 address
 * @param path the path of all requests begins with it, and it ends with a slash
 */
record ServerAddress(boolean isTls, String host, int port, String path) {
  /**
   * @throws IllegalArgumentException if the URL is none, or names no host
   */
  static ServerAddress of(String url) {
    URI uri = URI.create(url);
    if (uri.getHost() == null) {
      throw new IllegalArgumentException("\"" + url + "\" names no host");
    }
    boolean isTls = "https".equalsIgnoreCase(uri.getScheme());
    String path = uri.getRawPath() == null ? "" : uri.getRawPath();
    return new ServerAddress(
        isTls,
        withoutBrackets(uri.getHost()),
        uri.getPort() >= 0 ? uri.getPort() : isTls ? 443 : 80,
        path.endsWith("/") ? path : path + "/");
  }

  private static String withoutBrackets(String host) {
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  /** Returns host and port, as the header {@code Host} and proxies have them. */
  String authority() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
