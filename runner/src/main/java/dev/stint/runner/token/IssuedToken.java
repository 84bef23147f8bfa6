package dev.stint.runner.token;

import java.time.Instant;

/**
 * A token of a service account.
 *
 * @param text never to be logged
 */
public record IssuedToken(String text, Instant expires) {
  /** Leaves out the token itself, which is a credential. */
  @Override
  public String toString() {
    return "token until " + expires;
  }
}
