package dev.stint.apiserver.access;

/**
 * Whether a request may go on.
 *
 * @param reason what allows it; "" where nothing does
 */
public record AccessDecision(boolean allowed, String reason) {
  static final AccessDecision NOTHING_ALLOWS = new AccessDecision(false, "");

  static AccessDecision allowedBy(String reason) {
    return new AccessDecision(true, reason);
  }
}
