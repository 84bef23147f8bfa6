package dev.stint.testkit;

/**
 * What goes wrong between the API and those who use it, when the test wants it to.
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
 * <p>These meet the clients that the test has over HTTP, that is, the code under test. The
 * controllers beside it and the {@code Cluster} of the test are not concerned, unless {@link
 * #ofControllers()} says so. Of several that fit a request, the first that was set meets it, and is
 * used up by it. Clients may try again by themselves: fabric8's does after a 429 or a 5xx.
 */
public final class ApiFaults {
  private final FaultSchedule clients;
  private final FaultSchedule controllers;

  ApiFaults(FaultSchedule clients, FaultSchedule controllers) {
    this.clients = clients;
    this.controllers = controllers;
  }

  /** Begins to say what becomes of the next requests. */
  public FaultRule next(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("the next " + count + " requests are none");
    }
    return new FaultRule(clients, count, _ -> true);
  }

  /** Begins to say what becomes of all requests from now on. */
  public FaultRule every() {
    return next(Integer.MAX_VALUE);
  }

  /**
   * Breaks off all watches, in the middle of their streams. To have clients list again, let the
   * next watch fail too: {@code faults.next(1).watches().fail(Reason.GONE)}.
   */
  public void dropWatches() {
    clients.dropWatches();
  }

  /** The same for the requests and watches of the controllers. */
  public ApiFaults ofControllers() {
    return new ApiFaults(controllers, controllers);
  }

  /** All goes well again, for clients and controllers. */
  public void clear() {
    clients.clear();
    controllers.clear();
  }
}
