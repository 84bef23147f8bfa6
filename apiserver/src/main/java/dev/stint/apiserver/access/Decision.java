package dev.stint.apiserver.access;

/**
 * Whether a request may go on.
 *
 * @param reason what allows it; "" where nothing does
 */
public record Decision(boolean allowed, String reason) {
  static final Decision NOTHING_ALLOWS = new Decision(false, "");

  static Decision allowedBy(String reason) {
    return new Decision(true, reason);
  }
}
