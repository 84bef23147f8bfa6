package dev.stint.apiserver.flowcontrol;

import dev.stint.apiserver.access.RequestAttributes;

/** Estimates how many seats a request takes. */
public final class WorkEstimate {
  private static final int OBJECTS_PER_SEAT = 100;
  private static final int MOST_SEATS = 10;

  private WorkEstimate() {}

  /** Counts the objects that a request reads. */
  @FunctionalInterface
  public interface ObjectCount {
    /**
     * Returns how many objects a collection has; 0 if it does not exist.
     *
     * @param namespace "" for all
     */
    int of(String group, String resource, String namespace);
  }

  /** True if a request may be about many objects. */
  public static boolean mayBeLarge(RequestAttributes request) {
    return request.name().isEmpty()
        && (request.verb().equals("list") || request.verb().equals("deletecollection"));
  }

  /**
   * Returns the number of seats for a request: one for most, and more for lists and deletions of
   * many objects.
   *
   * @param limit the number of objects that the client asks for; 0 for all
   */
  public static int seats(RequestAttributes request, long limit, ObjectCount count) {
    if (!mayBeLarge(request)) {
      return 1;
    }
    long objects = count.of(request.group(), request.resource(), request.namespace());
    long read = limit > 0 ? Math.min(limit, objects) : objects;
    return (int) Math.clamp(Math.ceilDiv(read, OBJECTS_PER_SEAT), 1L, MOST_SEATS);
  }
}
