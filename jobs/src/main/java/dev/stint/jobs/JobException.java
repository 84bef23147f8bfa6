package dev.stint.jobs;

/** The requested change cannot be made to this Job. The message is one line for the user. */
public final class JobException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  JobException(String line) {
    super(line, null, false, false);
  }
}
