package dev.stint.cli.output;

/** The values of {@code -o}. */
public enum OutputFormat {
  text,
  json,
  yaml
}
