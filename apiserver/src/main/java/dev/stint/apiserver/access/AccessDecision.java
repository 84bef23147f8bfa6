package dev.stint.apiserver.access;

/**
 * The decision on a request: allowed or not.
 *
 * @param reason the grant that allows it; "" if none does
 */
public record AccessDecision(boolean allowed, String reason) {
  static final AccessDecision NOTHING_ALLOWS = new AccessDecision(false, "");

  static AccessDecision allowedBy(String reason) {
    return new AccessDecision(true, reason);
  }
}
