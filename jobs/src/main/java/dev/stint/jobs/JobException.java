package dev.stint.jobs;

/** What is asked for can't be done with this Job. The message is one line for people. */
public final class JobException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  JobException(String line) {
    super(line, null, false, false);
  }
}
