package dev.stint.model.job;

/**
 * The time at which a pod is replaced (KEP-3939); the names are those of {@code
 * spec.podReplacementPolicy}.
 */
public enum PodReplacementPolicy {
  /** As soon as it is being deleted, or failed. */
  TerminatingOrFailed,
  /** Only once it has stopped. */
  Failed
}
