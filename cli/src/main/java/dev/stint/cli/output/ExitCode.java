package dev.stint.cli.output;

/** The exit statuses of commands. Scripts rely on these numbers. */
public enum ExitCode {
  /** Success; for {@code run} and {@code wait}: every Job is Complete. */
  OK(0, "Done. For run and wait: every Job is Complete."),
  /** A Job is Failed. */
  FAILED(1, "A Job is Failed."),
  /**
   * Bad flags, files or values, or a machine that lacks a requirement; nothing was done. Also the
   * end of a {@code run} or {@code up} whose Jobs cannot be worked on any more, as on a full disk,
   * and of a command whose output could not be written.
   */
  USAGE(
      2,
      "Bad flags, files or values, nothing there, or lost output; for run and up also: Jobs cannot"
          + " go on."),
  /** A fault of Stint itself. */
  INTERNAL(70, "A fault of Stint itself."),
  /** {@code --timeout} passed; the status of timeout(1). */
  TIMEOUT(124, "The time of --timeout passed."),
  /** SIGHUP, as when a terminal is closed; the status that shells use. */
  HUNG_UP(129, "SIGHUP: the terminal was closed."),
  /** Ctrl-C; the status that shells use. */
  INTERRUPTED(130, "Ctrl-C."),
  /** SIGTERM; the status that shells use. */
  TERMINATED(143, "SIGTERM.");

  private final int status;
  private final String meaning;

  ExitCode(int status, String meaning) {
    this.status = status;
    this.meaning = meaning;
  }

  /**
   * Returns the status of a command that a signal has ended.
   *
   * @param signal one of {@link Signals#ENDING}
   */
  public static ExitCode of(String signal) {
    return switch (signal) {
      case "INT" -> INTERRUPTED;
      case "HUP" -> HUNG_UP;
      default -> TERMINATED;
    };
  }

  /** Returns the meaning, in a sentence. */
  public String meaning() {
    return meaning;
  }

  /** Returns the exit status of the process. */
  public int status() {
    return status;
  }
}
