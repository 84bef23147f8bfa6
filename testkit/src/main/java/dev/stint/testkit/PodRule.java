package dev.stint.testkit;

import dev.stint.model.index.IndexSet;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A rule of a {@link PodScript}: first selects pods, then sets their behaviour. Each selecting
 * method returns a new, narrower rule; each behaviour takes effect at once, and more may follow.
 */
public final class PodRule {
  private static final Duration FOREVER = Duration.ofDays(36_500);

  private final PodScript script;
  private final Match match;

  PodRule(PodScript script, Match match) {
    this.script = script;
    this.match = match;
  }

  /**
   * Selects pods.
   *
   * @param job null for any
   * @param indexes null for any, and for pods without an index
   * @param attempt from 1 on; 0 for any
   */
  record Match(@Nullable String job, @Nullable IndexSet indexes, int attempt) {}

  /** Selects only pods of Jobs of this name. */
  public PodRule ofJob(String name) {
    return new PodRule(script, new Match(name, match.indexes(), match.attempt()));
  }

  /** Selects only pods of this index. */
  public PodRule onIndex(int index) {
    return new PodRule(script, new Match(match.job(), IndexSet.of(index), match.attempt()));
  }

  /** Selects only pods of these indexes, such as {@code 0-4,7}. */
  public PodRule onIndexes(String indexes) {
    try {
      return new PodRule(script, new Match(match.job(), IndexSet.parse(indexes), match.attempt()));
    } catch (IndexSet.FormatException fault) {
      throw new IllegalArgumentException(
          "\"" + indexes + "\" is not a list of indexes such as 0-4,7: " + fault.getMessage(),
          fault);
    }
  }

  /** Selects the first attempt only: {@link #attempt} 1. */
  public PodRule firstAttempt() {
    return attempt(1);
  }

  /**
   * Selects one attempt only.
   *
   * @param number from 1 on: the first, second, … start of a container for this index of the Job,
   *     or for the Job if it is not Indexed; restarts in place count too
   */
  public PodRule attempt(int number) {
    if (number < 1) {
      throw new IllegalArgumentException("attempts count from 1, not from " + number);
    }
    return new PodRule(script, new Match(match.job(), match.indexes(), number));
  }

  /** Makes them exit with this code. */
  public PodRule exits(int code) {
    if (code < 0 || code > 255) {
      throw new IllegalArgumentException("exit codes are 0 to 255, not " + code);
    }
    script.add(match, null, code, null);
    return this;
  }

  /** Makes them run for this long. */
  public PodRule runsFor(long amount, TimeUnit unit) {
    return runsFor(Duration.of(amount, unit.toChronoUnit()));
  }

  /** Makes them run for this long. */
  public PodRule runsFor(Duration time) {
    script.add(match, time, null, null);
    return this;
  }

  /** Makes them run until they are stopped. */
  public PodRule neverEnds() {
    return runsFor(FOREVER);
  }

  /**
   * Makes them take this long to exit, with 143, after the signal to stop; by default they exit at
   * once. When their grace period has passed, they are killed.
   */
  public PodRule takesToStop(long amount, TimeUnit unit) {
    script.add(match, null, null, Duration.of(amount, unit.toChronoUnit()));
    return this;
  }
}
