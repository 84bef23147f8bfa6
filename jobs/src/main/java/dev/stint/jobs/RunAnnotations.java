package dev.stint.jobs;

/** The annotations that {@code stint run} leaves on its Jobs. */
public final class RunAnnotations {
  /** On a Job that {@code run} created: the digest of its document. */
  public static final String DOCUMENT = "stint.dev/document-sha256";

  /** On a Job that {@code run} created: the digest of the inputs from its files that it names. */
  public static final String INPUTS = "stint.dev/inputs-sha256";

  /** On a finished Job: a {@code run} has reported its outcome, so the next one starts anew. */
  public static final String REPORTED = "stint.dev/reported";

  /** On a Job of a list: the digest of its command and its list. */
  public static final String EACH = "stint.dev/each-sha256";

  /** On a Job of a list: the digest of its command alone. */
  public static final String EACH_COMMAND = "stint.dev/each-command-sha256";

  /** On a suspended Job: its {@code run} was interrupted, and the same command resumes it. */
  public static final String INTERRUPTED = "stint.dev/interrupted";

  private RunAnnotations() {}
}
