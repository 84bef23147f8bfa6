package dev.stint.apiserver.access;

/** What a request says of who makes it, and what is to be thought of that. */
public sealed interface Authentication {
  /** Somebody vouched for this user. */
  record Known(User user) implements Authentication {}

  /** The request says nothing; it is {@link User#ANONYMOUS}'s. */
  record Anonymous() implements Authentication {}

  /**
   * The request claims what does not hold; answered with 401.
   *
   * @param why for the log; holds no secret. Clients are told "Unauthorized" and no more
   */
  record Refused(String why) implements Authentication {}
}
