package dev.stint.apiserver.access;

import java.util.Set;

/**
 * The paths of health checks, such as {@code /readyz} and {@code /livez/ping}. Everybody may read
 * them, and they never wait for other requests.
 */
public final class HealthPath {
  private static final Set<String> CHECKS = Set.of("/healthz", "/livez", "/readyz");

  private HealthPath() {}

  /** True for the path of a health check, without its query. */
  public static boolean matches(String path) {
    int slash = path.indexOf('/', 1);
    return CHECKS.contains(slash < 0 ? path : path.substring(0, slash));
  }
}
