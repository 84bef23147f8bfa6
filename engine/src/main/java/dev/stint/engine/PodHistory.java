package dev.stint.engine;

import java.time.Instant;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * When pods of a Job failed and succeeded: what the back-off of a Job without a limit per index is
 * made of. Kept by the pods' own finish times, so that a restart of the controller forgets nothing
 * that the pods still tell; and beyond the pods' own lives, as far back as it matters.
 */
final class PodHistory {
  /** Beyond so many failures in a row the back-off has long been at its longest. */
  private static final int MOST = 64;

  private final TreeMap<Instant, Integer> failures = new TreeMap<>();
  private final TreeMap<Instant, Integer> successes = new TreeMap<>();

  void addFailure(Instant time) {
    failures.merge(time, 1, Integer::sum);
    if (failures.size() > MOST) {
      failures.pollFirstEntry();
    }
  }

  void removeFailure(Instant time) {
    failures.computeIfPresent(time, (t, count) -> count > 1 ? count - 1 : null);
  }

  void addSuccess(Instant time) {
    successes.merge(time, 1, Integer::sum);
    if (successes.size() > MOST) {
      successes.pollFirstEntry();
    }
  }

  void removeSuccess(Instant time) {
    successes.computeIfPresent(time, (t, count) -> count > 1 ? count - 1 : null);
  }

  /** Failures after the last success. */
  int failuresInARow() {
    var since = successes.isEmpty() ? failures : failures.tailMap(successes.lastKey(), false);
    long failed = 0;
    for (int count : since.values()) {
      failed += count;
      if (failed > MOST) {
        break;
      }
    }
    return (int) failed;
  }

  /** When the last failure was; null where there was none. */
  @Nullable Instant lastFailure() {
    return failures.isEmpty() ? null : failures.lastKey();
  }
}
