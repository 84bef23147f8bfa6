package dev.stint.testkit;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A sentence of {@link ApiFaults}: first which requests it is about, then what becomes of them.
 * What narrows it down makes another one; nothing is said before its last word.
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

  /** Only requests that this holds of. */
  public FaultRule matching(Predicate<ApiRequest> more) {
    return new FaultRule(faults, count, which.and(more));
  }

  /**
   * Only requests for this resource, or its subresources.
   *
   * @param resource the plural, such as {@code jobs}
   */
  public FaultRule of(String resource) {
    return matching(request -> request.resource().equals(resource));
  }

  /** Only requests with one of these verbs, such as {@code get}, {@code patch}. */
  public FaultRule verbs(String... verbs) {
    Set<String> all = Set.of(verbs);
    return matching(request -> all.contains(request.verb()));
  }

  /** Only creations. */
  public FaultRule creates() {
    return verbs("create");
  }

  /** Only updates and patches, of statuses too. */
  public FaultRule updates() {
    return verbs("update", "patch");
  }

  /** Only deletions. */
  public FaultRule deletes() {
    return verbs("delete", "deletecollection");
  }

  /** Only questions for one object. */
  public FaultRule gets() {
    return verbs("get");
  }

  /** Only lists. */
  public FaultRule lists() {
    return verbs("list");
  }

  /** Only watches, as they begin. */
  public FaultRule watches() {
    return verbs("watch");
  }

  /** They fail with 409, as if somebody else had changed the object. Nothing is done. */
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

  /** They fail with that; nothing is done. */
  public void fail(Reason reason) {
    set(Duration.ZERO, request -> wanted(reason, request), false);
  }

  /** They fail with 429 and {@code Retry-After}; nothing is done. */
  public void tooManyRequests(Duration retryAfter) {
    set(
        Duration.ZERO,
        request -> wanted(Reason.TOO_MANY_REQUESTS, request).askingAgainAfter(retryAfter),
        false);
  }

  /** What they ask for is done, and then they fail with 504: nobody can know whether it was. */
  public void loseAnswer() {
    set(Duration.ZERO, request -> wanted(Reason.TIMEOUT, request), true);
  }

  /** They take so much longer: real time for clients, the control plane's for controllers. */
  public void takes(long amount, TimeUnit unit) {
    set(Duration.of(amount, unit.toChronoUnit()), null, false);
  }

  private static ClusterException wanted(Reason reason, ApiRequest request) {
    return new ClusterException(reason, "the test wants this to fail: " + request);
  }

  private void set(Duration delay, FaultSchedule.@Nullable Failure failure, boolean afterwards) {
    faults.add(count, which, new FaultSchedule.Effect(delay, failure, afterwards));
  }
}
