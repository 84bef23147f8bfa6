package dev.stint.cli.output;

/** How a command ended, as its exit status. Scripts rely on these numbers. */
public enum ExitCode {
  /** Done; for {@code run} and {@code wait}: every Job is Complete. */
  OK(0, "Done. For run and wait: every Job is Complete."),
  /** A Job is Failed. */
  FAILED(1, "A Job is Failed."),
  /** Bad flags, files or values, or a machine that lacks what Stint needs: nothing was done. */
  USAGE(2, "Bad flags, files or values, or nothing there: nothing was done."),
  /** A fault of Stint itself. */
  INTERNAL(70, "A fault of Stint itself."),
  /** {@code --timeout} passed, as timeout(1) says it. */
  TIMEOUT(124, "The time of --timeout passed."),
  /** Ctrl-C, as shells say it. */
  INTERRUPTED(130, "Ctrl-C.");

  private final int status;
  private final String meaning;

  ExitCode(int status, String meaning) {
    this.status = status;
    this.meaning = meaning;
  }

  /** What it tells, in a sentence. */
  public String meaning() {
    return meaning;
  }

  /** The exit status of the process. */
  public int status() {
    return status;
  }
}
