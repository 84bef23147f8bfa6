package dev.stint.model.job;

/** The way in which completions are tracked; the names are those of {@code spec.completionMode}. */
public enum CompletionMode {
  NonIndexed,
  Indexed
}
