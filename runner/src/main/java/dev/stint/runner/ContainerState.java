package dev.stint.runner;

/** The state of a container, as {@code status.containerStatuses[].state} has it. */
sealed interface ContainerState {
  /** Not running, but to be. */
  record Waiting(String reason, String message) implements ContainerState {}

  record Running(Started started) implements ContainerState {}

  record Terminated(Exit exit) implements ContainerState {}
}
