package dev.stint.runner.status;

import dev.stint.runner.runtime.AttemptListener;
import dev.stint.runner.runtime.Exit;
import dev.stint.runner.runtime.StartedContainer;

/** The state of a container, as in {@code status.containerStatuses[].state}. */
public sealed interface ContainerState {
  /** The waiting reason of a container while init containers run before it. */
  String POD_INITIALIZING = "PodInitializing";

  /** Not running yet. */
  record Waiting(String reason, String message) implements ContainerState {
    /**
     * True if the container waits for its turn, or for volumes. A kubelet then reports the reason
     * only; events name what is missing.
     */
    public boolean isCreating() {
      return reason.equals(AttemptListener.CONTAINER_CREATING) || reason.equals(POD_INITIALIZING);
    }
  }

  record Running(StartedContainer started) implements ContainerState {}

  record Terminated(Exit exit) implements ContainerState {}
}
