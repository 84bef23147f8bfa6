package dev.stint.cli.output;

/** The values of {@code -o} of commands that tell of Jobs. */
public enum ReportFormat {
  /** For people. */
  text,
  json,
  yaml,
  /** Names alone, a line each, as kubectl writes them. */
  name
}
