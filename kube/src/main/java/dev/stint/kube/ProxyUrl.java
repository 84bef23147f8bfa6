package dev.stint.kube;

import java.net.URI;
import java.nio.file.Path;
import java.util.Locale;

/** The {@code proxy-url} of a kubeconfig's cluster (Kubernetes API, kubeconfig v1, Cluster). */
final class ProxyUrl {
  private ProxyUrl() {}

  /**
   * Returns the URL with its port, in a form that fabric8 reads.
   *
   * @throws IllegalArgumentException if it is not the URL of a proxy that can be used; the message
   *     is one line for the user
   */
  static String usable(Path file, String url) {
    URI uri = parsed(file, url);
    String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
    return switch (scheme) {
      case "http" -> withPort(uri, "http", 80);
      case "socks5", "socks5h" -> {
        if (uri.getUserInfo() != null) {
          throw unusable(file, url, "a SOCKS proxy with a password is not supported");
        }
        yield withPort(uri, "socks5", 1080);
      }
      default -> throw unusable(file, url, "it must begin with http:// or socks5://");
    };
  }

  private static URI parsed(Path file, String url) {
    try {
      URI uri = URI.create(url);
      if (uri.getHost() != null) {
        return uri;
      }
    } catch (IllegalArgumentException malformed) {
      throw unusable(file, url, String.valueOf(malformed.getMessage()));
    }
    throw unusable(file, url, "it names no host, such as http://proxy:3128");
  }

  private static String withPort(URI uri, String scheme, int port) {
    String user = uri.getRawUserInfo() == null ? "" : uri.getRawUserInfo() + "@";
    return scheme + "://" + user + uri.getHost() + ":" + (uri.getPort() < 0 ? port : uri.getPort());
  }

  /** Passwords are not shown. */
  private static IllegalArgumentException unusable(Path file, String url, String why) {
    String shown = url.replaceFirst("//[^/@]*@", "//");
    return new IllegalArgumentException(file + ": proxy-url \"" + shown + "\": " + why);
  }
}
