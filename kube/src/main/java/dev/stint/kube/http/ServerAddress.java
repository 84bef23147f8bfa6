package dev.stint.kube.http;

import java.net.URI;

/**
 * The address of an API server.
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
        uri.getPort() >= 0 ? uri.getPort() : portOf(isTls),
        path.endsWith("/") ? path : path + "/");
  }

  private static String withoutBrackets(String host) {
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  /** Returns host and port, as proxies want them. */
  String authority() {
    return named() + ":" + port;
  }

  /** Returns what the header {@code Host} has: the port only if it is not that of the scheme. */
  String hostHeader() {
    return port == portOf(isTls) ? named() : authority();
  }

  private String named() {
    return host.contains(":") ? "[" + host + "]" : host;
  }

  private static int portOf(boolean isTls) {
    return isTls ? 443 : 80;
  }
}
