package dev.stint.cli.plane;

/** The values of {@code --runtime}. */
public enum RuntimeKind {
  /** Pods are processes of this machine. */
  process,
  /** Pods are containers of a daemon, Docker or Podman. */
  container,
  /** Pods pass time and succeed. */
  simulated,
  /** Pods wait for another node agent to run them. */
  none
}
