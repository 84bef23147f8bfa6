package dev.stint.cli.job;

/** The values of {@code -o} of {@code stint attempts}. */
enum AttemptsFormat {
  /** A table for people. */
  text,
  json,
  yaml,
  /** Names of pods alone. */
  name,
  /** Comma-separated values with a header. */
  csv,
  /** The job log of GNU parallel. */
  joblog
}
