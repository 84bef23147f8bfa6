package dev.stint.cli;

/** The values of {@code -o}. */
enum OutputFormat {
  text,
  json,
  yaml
}
