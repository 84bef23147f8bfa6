package dev.stint.testkit;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A rule of {@link ApiFaults}: first selects requests, then sets their outcome. Each selecting
 * method returns a new, narrower rule; a rule takes effect only when its outcome is set.
 */
public final class FaultRule {
  private final FaultSchedule faults;
  private final int count;
  private final Predicate<ApiRequest> which;

  FaultRule(FaultSchedule faults, int count, Predicate<ApiRequest> which) {
    this.faults = faults;
    this.count = count;
    this.which = which;
  }

  /** Selects only requests that match this predicate. */
  public FaultRule matching(Predicate<ApiRequest> more) {
    return new FaultRule(faults, count, which.and(more));
  }

  /**
   * Selects only requests for this resource, or its subresources.
   *
   * @param resource the plural, such as {@code jobs}
   */
  public FaultRule of(String resource) {
    return matching(request -> request.resource().equals(resource));
  }

  /** Selects only requests with one of these verbs, such as {@code get}, {@code patch}. */
  public FaultRule verbs(String... verbs) {
    Set<String> all = Set.of(verbs);
    return matching(request -> all.contains(request.verb()));
  }

  /** Selects only creations. */
  public FaultRule creates() {
    return verbs("create");
  }

  /** Selects only updates and patches, including those of statuses. */
  public FaultRule updates() {
    return verbs("update", "patch");
  }

  /** Selects only deletions. */
  public FaultRule deletes() {
    return verbs("delete", "deletecollection");
  }

  /** Selects only reads of a single object. */
  public FaultRule gets() {
    return verbs("get");
  }

  /** Selects only lists. */
  public FaultRule lists() {
    return verbs("list");
  }

  /** Selects only watches, when they begin. */
  public FaultRule watches() {
    return verbs("watch");
  }

  /** Makes them fail with 409, as if another client had changed the object. Nothing is done. */
  public void conflict() {
    set(
        Duration.ZERO,
        request ->
            new ClusterException(
                Reason.CONFLICT,
                "Operation cannot be fulfilled on %s \"%s\": the object has been modified; please"
                        .formatted(request.resource(), request.name())
                    + " apply your changes to the latest version and try again"),
        false);
  }

  /** Makes them fail for this reason; nothing is done. */
  public void fail(Reason reason) {
    set(Duration.ZERO, request -> failure(reason, request), false);
  }

  /** Makes them fail with 429 and {@code Retry-After}; nothing is done. */
  public void tooManyRequests(Duration retryAfter) {
    set(
        Duration.ZERO,
        request -> failure(Reason.TOO_MANY_REQUESTS, request).withRetryAfter(retryAfter),
        false);
  }

  /** Carries them out, and then fails them with 504, so that the client cannot know the outcome. */
  public void loseAnswer() {
    set(Duration.ZERO, request -> failure(Reason.TIMEOUT, request), true);
  }

  /**
   * Delays them by this much: in real time for clients, in the control plane's time for
   * controllers.
   */
  public void takes(long amount, TimeUnit unit) {
    set(Duration.of(amount, unit.toChronoUnit()), null, false);
  }

  private static ClusterException failure(Reason reason, ApiRequest request) {
    return new ClusterException(reason, "failed by the test: " + request);
  }

  private void set(Duration delay, FaultSchedule.@Nullable Failure failure, boolean afterwards) {
    faults.add(count, which, new FaultSchedule.Effect(delay, failure, afterwards));
  }
}
