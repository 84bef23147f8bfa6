package dev.stint.cli;

/** How a command ended, as its exit status. Scripts rely on these numbers. */
public enum ExitCode {
  /** Done; for {@code run} and {@code wait}: every Job is Complete. */
  OK(0),
  /** A Job is Failed. */
  FAILED(1),
  /** Bad flags, files or values, or a machine that lacks what Stint needs: nothing was done. */
  USAGE(2),
  /** A fault of Stint itself. */
  INTERNAL(70),
  /** {@code --timeout} passed, as timeout(1) says it. */
  TIMEOUT(124),
  /** Ctrl-C, as shells say it. */
  INTERRUPTED(130);

  private final int status;

  ExitCode(int status) {
    this.status = status;
  }

  /** The exit status of the process. */
  public int status() {
    return status;
  }
}
