package dev.stint.cli.output;

/** The values of {@code -o} of commands that report on Jobs. */
public enum ReportFormat {
  /** Text for people. */
  text,
  json,
  yaml,
  /** Names alone, a line each, as kubectl writes them. */
  name
}
