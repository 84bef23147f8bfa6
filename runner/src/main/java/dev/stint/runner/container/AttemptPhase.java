package dev.stint.runner.container;

import dev.stint.runner.container.daemon.ContainerLabels;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The phase of the attempt of a container. */
sealed interface AttemptPhase {
  /** Returns its labels, which hold its number; null before it has one, and once it is over. */
  @Nullable ContainerLabels labels();

  /** Returns its ID at the daemon; null before it has one, and once it is over. */
  @Nullable String id();

  /**
   * Its image is being got, or its container made.
   *
   * @param labels null until the container was to be made for the first time
   */
  record Preparing(@Nullable ContainerLabels labels) implements AttemptPhase {
    @Override
    public @Nullable String id() {
      return null;
    }
  }

  /** Its container exists; it is unknown whether it runs. */
  record Created(String id, ContainerLabels labels) implements AttemptPhase {}

  /**
   * Its container was started, and may have ended.
   *
   * @param stopSignal the signal that asks it to end
   */
  record Started(
      String id, ContainerLabels labels, Instant startedAt, String stopSignal, LogFollower log)
      implements AttemptPhase {}

  /** Its outcome is known. */
  record Over() implements AttemptPhase {
    @Override
    public @Nullable ContainerLabels labels() {
      return null;
    }

    @Override
    public @Nullable String id() {
      return null;
    }
  }
}
