package dev.stint.engine;

import dev.stint.model.ExponentialBackoff;
import java.time.Duration;

/**
 * The engine's tunables.
 *
 * @param backoff the delay before a failed pod is replaced
 * @param maxUncountedPods the maximum number of uids in {@code status.uncountedTerminatedPods}, so
 *     that they stay under 20 kB (KEP-2307, Algorithm)
 * @param maxPodChangesPerSync the maximum number of pods that one plan creates, and that it
 *     releases
 * @param maxWaitingPods the maximum number of a Job's pods that have not started yet; no more are
 *     created while there are as many
 */
public record EngineOptions(
    ExponentialBackoff backoff,
    int maxUncountedPods,
    int maxPodChangesPerSync,
    int maxWaitingPods) {
  public static final EngineOptions DEFAULT =
      new EngineOptions(
          new ExponentialBackoff(Duration.ofSeconds(10), Duration.ofMinutes(10)), 500, 500);

  /** Creates options without a limit of waiting pods. */
  public EngineOptions(ExponentialBackoff backoff, int maxUncountedPods, int maxPodChangesPerSync) {
    this(backoff, maxUncountedPods, maxPodChangesPerSync, Integer.MAX_VALUE);
  }

  /** Returns these options with a limit of waiting pods. */
  public EngineOptions withMaxWaitingPods(int most) {
    return new EngineOptions(backoff, maxUncountedPods, maxPodChangesPerSync, most);
  }
}
