package dev.stint.apiserver.access;

/** The result of authenticating a request. */
public sealed interface Authentication {
  /** An authenticated user. */
  record Known(User user) implements Authentication {}

  /** A request without credentials, by {@link User#ANONYMOUS}. */
  record Anonymous() implements Authentication {}

  /**
   * A request with invalid credentials; answered with 401.
   *
   * @param why for the log; holds no secret. Clients are told only "Unauthorized"
   */
  record Refused(String why) implements Authentication {}
}
