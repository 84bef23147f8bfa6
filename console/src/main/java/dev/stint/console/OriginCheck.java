package dev.stint.console;

import dev.stint.apiserver.http.Call;
import java.net.URI;
import java.util.Optional;
import java.util.Set;

/**
 * Whether a request comes from the console's own pages, as far as a browser tells. Another page may
 * make a browser send one, with the cookie if it comes from the same host and another port. Pure.
 */
final class OriginCheck {
  /** What the pages send along with all that changes something; no form and no link can. */
  static final String HEADER = "X-Stint-Console";

  private static final Set<String> READS = Set.of("GET", "HEAD");
  private static final Set<String> OUR_OWN_READS = Set.of("", "same-origin", "none");

  private OriginCheck() {}

  /** Why a request is refused, in one line; empty where it is not. */
  static Optional<String> refusal(Call call) {
    String site = call.header("Sec-Fetch-Site");
    if (READS.contains(call.method())) {
      return OUR_OWN_READS.contains(site)
          ? Optional.empty()
          : Optional.of("asked for by another page (Sec-Fetch-Site: " + site + ")");
    }
    String origin = call.header("Origin");
    if (call.header(HEADER).isEmpty()) {
      return Optional.of("the header " + HEADER + " is missing");
    }
    if (!site.isEmpty() && !site.equals("same-origin")) {
      return Optional.of("asked for by another page (Sec-Fetch-Site: " + site + ")");
    }
    if (!origin.isEmpty() && !authority(origin).equals(host(call))) {
      return Optional.of("asked for by another page (Origin: " + origin + ")");
    }
    if (site.isEmpty() && origin.isEmpty()) {
      return Optional.of("neither Sec-Fetch-Site nor Origin tells where it comes from");
    }
    return call.contentType().equals("application/json")
        ? Optional.empty()
        : Optional.of("the Content-Type has to be application/json");
  }

  /** The host and the port that were asked. */
  static String host(Call call) {
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
