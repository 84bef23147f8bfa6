package dev.stint.console.signin;

import dev.stint.apiserver.http.Call;
import java.net.URI;
import java.util.Optional;
import java.util.Set;

/**
 * Rejects cross-site requests by the headers that browsers send. Another page may make a browser
 * send a request, with the cookie if the page is on another port of the same host. Pure.
 */
public final class OriginCheck {
  /** The header that the pages send with every write; neither forms nor links can send it. */
  public static final String HEADER = "X-Stint-Console";

  private static final Set<String> READS = Set.of("GET", "HEAD");
  private static final Set<String> OUR_OWN_READS = Set.of("", "same-origin", "none");

  private OriginCheck() {}

  /** Returns the reason for refusing a request, in one line; empty if it is accepted. */
  public static Optional<String> refusal(Call call) {
    String site = call.header("Sec-Fetch-Site");
    if (READS.contains(call.method())) {
      return OUR_OWN_READS.contains(site)
          ? Optional.empty()
          : Optional.of("cross-site request refused (Sec-Fetch-Site: " + site + ")");
    }
    String origin = call.header("Origin");
    if (call.header(HEADER).isEmpty()) {
      return Optional.of("the header " + HEADER + " is missing");
    }
    if (!site.isEmpty() && !site.equals("same-origin")) {
      return Optional.of("cross-site request refused (Sec-Fetch-Site: " + site + ")");
    }
    if (!origin.isEmpty() && !authority(origin).equals(host(call))) {
      return Optional.of("cross-site request refused (Origin: " + origin + ")");
    }
    if (site.isEmpty() && origin.isEmpty()) {
      return Optional.of("the headers Sec-Fetch-Site and Origin are missing");
    }
    return call.contentType().equals("application/json")
        ? Optional.empty()
        : Optional.of("the Content-Type must be application/json");
  }

  /** Returns the host and port that the request addresses. */
  public static String host(Call call) {
    return call.header("Host");
  }

  private static String authority(String origin) {
    try {
      String authority = URI.create(origin).getRawAuthority();
      return authority == null ? "" : authority;
    } catch (IllegalArgumentException broken) {
      return "";
    }
  }
}
