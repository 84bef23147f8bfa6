package dev.stint.model.job;

/** How completions are tracked; the names are those of {@code spec.completionMode}. */
public enum CompletionMode {
  NonIndexed,
  Indexed
}
