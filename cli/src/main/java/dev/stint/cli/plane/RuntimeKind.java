package dev.stint.cli.plane;

import java.util.ArrayList;
import java.util.List;

/** The values of {@code --runtime}. */
public enum RuntimeKind {
  /** Pods are processes of this machine. */
  process,
  /** Pods are containers of a daemon, Docker or Podman. */
  container,
  /** Pods pass time and succeed. */
  simulated,
  /** Pods wait for another node agent to run them. */
  none;

  /** The names that {@code run} takes, for completion. */
  public static final class OfRun extends ArrayList<String> {
    private static final long serialVersionUID = 1L;

    public OfRun() {
      super(List.of("process", "container", "simulated"));
    }
  }

  /** The names that {@code bench} takes, for completion. */
  public static final class OfBench extends ArrayList<String> {
    private static final long serialVersionUID = 1L;

    public OfBench() {
      super(List.of("simulated", "process"));
    }
  }
}
