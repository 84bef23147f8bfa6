package dev.stint.testkit.process;

import java.time.Duration;

/**
 * A rule for faults: first selects requests, then sets their outcome.
 *
 * @param whose {@code clients} or {@code controllers}
 * @param next the number of requests
 * @param resource the plural, such as {@code jobs}; "" for any
 * @param verbs separated by commas; "" for any
 */
public record RemoteFaults(
    RemoteControlPlane of, String whose, int next, String resource, String verbs) {
  /** Selects the requests of the controllers instead. */
  public RemoteFaults ofControllers() {
    return new RemoteFaults(of, "controllers", next, resource, verbs);
  }

  /** Selects only requests for this resource. */
  public RemoteFaults of(String plural) {
    return new RemoteFaults(of, whose, next, plural, verbs);
  }

  /** Selects only requests with one of these verbs, such as {@code get}, {@code patch}. */
  public RemoteFaults verbs(String... chosen) {
    return new RemoteFaults(of, whose, next, resource, String.join(",", chosen));
  }

  /** Makes them fail with 409. */
  public void conflict() {
    set("conflict", "");
  }

  /** Makes them fail for this reason, such as {@code internal} or {@code gone}. */
  public void fail(String reason) {
    set("fail", reason);
  }

  /** Makes them fail with 429 and {@code Retry-After}. */
  public void tooManyRequests(Duration retryAfter) {
    set("tooManyRequests", retryAfter.toString());
  }

  /** Carries them out, and then fails them with 504. */
  public void loseAnswer() {
    set("loseAnswer", "");
  }

  /** Delays them by this much. */
  public void takes(Duration time) {
    set("takes", time.toString());
  }

  private void set(String outcome, String value) {
    of.ask("fault", whose, Integer.toString(next), resource, verbs, outcome, value);
  }
}
