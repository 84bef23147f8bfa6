package dev.stint.runner;

import dev.stint.model.KubeObject;
import java.time.Duration;
import java.util.function.Predicate;

/**
 * How a runner runs.
 *
 * @param nodeName the pods with this {@code spec.nodeName} are the runner's
 * @param maxPods how many pods run at once; the others wait, first in first out
 * @param podFilter which of the node's pods to run; the others are left alone, not ended
 * @param statusDelay how long a status that is not the last one waits for a newer one before it is
 *     written, so that a short pod costs one write
 */
public record RunnerOptions(
    String nodeName, int maxPods, Predicate<KubeObject> podFilter, Duration statusDelay) {
  public static final Duration DEFAULT_STATUS_DELAY = Duration.ofMillis(20);

  public RunnerOptions {
    if (maxPods < 1) {
      throw new IllegalArgumentException("maxPods must be at least 1, not " + maxPods);
    }
  }

  public RunnerOptions(String nodeName, int maxPods, Predicate<KubeObject> podFilter) {
    this(nodeName, maxPods, podFilter, DEFAULT_STATUS_DELAY);
  }
}
