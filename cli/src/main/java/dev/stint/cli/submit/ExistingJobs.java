package dev.stint.cli.submit;

/** The ways in which {@code run} may treat existing Jobs of the names that it needs. */
public enum ExistingJobs {
  /** Go on with unfinished ones, if they were created from the same document. */
  CONTINUE,
  /** The same, and replace unfinished ones that were created from another document. */
  REPLACE,
  /** Replace all of them, and keep no success. */
  FRESH
}
