package dev.stint.runner.runtime;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A running container.
 *
 * @param containerId such as {@code process://<boot>/<pod uid>/<container>/<attempt>}
 * @param restartCount the number of restarts before it; higher than requested if an attempt was
 *     taken over
 * @param previous the end of the attempt before this one, if one was taken over; null if unknown
 * @param imageId the ID of its image; empty if there is none
 * @param podIp the pod's address; null for this machine's
 */
public record StartedContainer(
    String containerId,
    int restartCount,
    Instant at,
    @Nullable Exit previous,
    String imageId,
    @Nullable String podIp) {
  /** Creates a container without an image, and with the machine's address. */
  public StartedContainer(
      String containerId, int restartCount, Instant at, @Nullable Exit previous) {
    this(containerId, restartCount, at, previous, "", null);
  }
}
