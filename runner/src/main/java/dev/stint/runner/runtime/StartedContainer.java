package dev.stint.runner.runtime;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A container that runs.
 *
 * @param containerId such as {@code process://<pod uid>/<container>/<attempt>}
 * @param restartCount how often it was restarted before; above what was asked for where an attempt
 *     was taken over
 * @param previous how the attempt before this one ended, where one was taken over; null if unknown
 * @param imageId of the image that it runs; empty where there is none
 * @param podIp the pod's address; null for this machine's
 */
public record StartedContainer(
    String containerId,
    int restartCount,
    Instant at,
    @Nullable Exit previous,
    String imageId,
    @Nullable String podIp) {
  /** A container without an image, and with the machine's address. */
  public StartedContainer(
      String containerId, int restartCount, Instant at, @Nullable Exit previous) {
    this(containerId, restartCount, at, previous, "", null);
  }
}
