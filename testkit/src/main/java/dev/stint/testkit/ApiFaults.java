package dev.stint.testkit;

/**
 * Injects faults between the API and its clients.
 *
 * <pre>{@code
 * faults.next(3).updates().of("jobs").conflict();
 * faults.next(1).creates().of("pods").fail(Reason.INTERNAL);
 * faults.next(2).tooManyRequests(Duration.ofSeconds(1));
 * faults.every().lists().takes(200, MILLISECONDS);
 * faults.dropWatches();
 * faults.ofControllers().every().of("pods").fail(Reason.UNAVAILABLE);
 * }</pre>
 *
 * <p>Faults apply to the test's HTTP clients, that is, to the code under test. They do not apply to
 * the test's {@code Cluster}, nor, unless set by {@link #ofControllers()}, to the controllers. If
 * several rules match a request, the first one that was set applies, and is used up by it. Clients
 * may retry by themselves: fabric8's does after a 429 or a 5xx.
 */
public final class ApiFaults {
  private final FaultSchedule clients;
  private final FaultSchedule controllers;

  ApiFaults(FaultSchedule clients, FaultSchedule controllers) {
    this.clients = clients;
    this.controllers = controllers;
  }

  /** Begins a rule for the next requests. */
  public FaultRule next(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("the number of requests must be at least 1, not " + count);
    }
    return new FaultRule(clients, count, _ -> true);
  }

  /** Begins a rule for all requests from now on. */
  public FaultRule every() {
    return next(Integer.MAX_VALUE);
  }

  /**
   * Ends all watches in the middle of their streams. To make clients list again, let the next watch
   * fail too: {@code faults.next(1).watches().fail(Reason.GONE)}.
   */
  public void dropWatches() {
    clients.dropWatches();
  }

  /** Returns the same faults for the requests and watches of the controllers. */
  public ApiFaults ofControllers() {
    return new ApiFaults(controllers, controllers);
  }

  /** Removes all faults, for clients and controllers. */
  public void clear() {
    clients.clear();
    controllers.clear();
  }
}
