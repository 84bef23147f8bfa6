package dev.stint.cli.output;

import java.util.List;

/**
 * A fault that the user can fix. The message is lines for standard error that say what is wrong,
 * where, and what to do; it has no stack trace.
 */
public final class UserException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<String> lines;
  private final ExitCode exitCode;

  /** Creates a fault of one line. The exit status is 2. */
  public UserException(String line) {
    this(ExitCode.USAGE, List.of(line));
  }

  public UserException(ExitCode exitCode, List<String> lines) {
    super(String.join("\n", lines), null, false, false);
    this.lines = List.copyOf(lines);
    this.exitCode = exitCode;
  }

  public List<String> lines() {
    return lines;
  }

  public ExitCode exitCode() {
    return exitCode;
  }
}
