package dev.stint.engine;

import java.time.Instant;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The failures and successes of a Job's pods, from which the back-off of a Job without a limit per
 * index is computed. The pods' own finish times are used, so a restart of the controller forgets
 * nothing that the pods still show. Deleted pods are remembered as far back as it matters.
 */
final class PodHistory {
  /** The longest history: after this many failures in a row, the back-off is at its maximum. */
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

  /** Counts the failures after the last success. */
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

  /** True if a failure at this time is remembered, and no success came after it. */
  boolean hasOpenFailure(Instant time) {
    return failures.containsKey(time) && (successes.isEmpty() || time.isAfter(successes.lastKey()));
  }

  /** Returns the time of the last failure; null if there was none. */
  @Nullable Instant lastFailure() {
    return failures.isEmpty() ? null : failures.lastKey();
  }
}
