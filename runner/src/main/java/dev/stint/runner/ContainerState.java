package dev.stint.runner;

import dev.stint.runner.runtime.AttemptListener;
import dev.stint.runner.runtime.Exit;
import dev.stint.runner.runtime.StartedContainer;

/** The state of a container, as {@code status.containerStatuses[].state} has it. */
sealed interface ContainerState {
  /** What a container waits with while init containers are to come before it. */
  String POD_INITIALIZING = "PodInitializing";

  /** Not running, but to be. */
  record Waiting(String reason, String message) implements ContainerState {
    /**
     * Whether the container waits for its turn, or for volumes. A kubelet says no more of that than
     * the reason; events tell what is missing.
     */
    boolean creating() {
      return reason.equals(AttemptListener.CONTAINER_CREATING) || reason.equals(POD_INITIALIZING);
    }
  }

  record Running(StartedContainer started) implements ContainerState {}

  record Terminated(Exit exit) implements ContainerState {}
}
