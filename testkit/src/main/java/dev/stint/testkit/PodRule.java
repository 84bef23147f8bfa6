package dev.stint.testkit;

import dev.stint.model.index.IndexSet;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A sentence of a {@link PodScript}: first which pods it is about, then what becomes of them. What
 * narrows it down makes another one; what says something is said at once, and more may follow.
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
   * Which pods.
   *
   * @param job null for any
   * @param indexes null for any, and for pods that have none
   * @param attempt from 1 on; 0 for any
   */
  record Match(@Nullable String job, @Nullable IndexSet indexes, int attempt) {}

  /** Of the Jobs of this name only. */
  public PodRule ofJob(String name) {
    return new PodRule(script, new Match(name, match.indexes(), match.attempt()));
  }

  /** Of this index only. */
  public PodRule onIndex(int index) {
    return new PodRule(script, new Match(match.job(), IndexSet.of(index), match.attempt()));
  }

  /** Of these indexes only, such as {@code 0-4,7}. */
  public PodRule onIndexes(String indexes) {
    try {
      return new PodRule(script, new Match(match.job(), IndexSet.parse(indexes), match.attempt()));
    } catch (IndexSet.FormatException fault) {
      throw new IllegalArgumentException(
          "\"" + indexes + "\" are no indexes such as 0-4,7: " + fault.getMessage(), fault);
    }
  }

  /** The first attempt only: {@link #attempt} 1. */
  public PodRule firstAttempt() {
    return attempt(1);
  }

  /**
   * One attempt only.
   *
   * @param number from 1 on: the first, second, … start of a container for this index of the Job,
   *     or for the Job where it is not Indexed; restarts in place count too
   */
  public PodRule attempt(int number) {
    if (number < 1) {
      throw new IllegalArgumentException("attempts are counted from 1 on, so none is " + number);
    }
    return new PodRule(script, new Match(match.job(), match.indexes(), number));
  }

  /** They end with this exit code. */
  public PodRule exits(int code) {
    if (code < 0 || code > 255) {
      throw new IllegalArgumentException("exit codes are 0 to 255, not " + code);
    }
    script.add(match, null, code, null);
    return this;
  }

  /** They run for so long. */
  public PodRule runsFor(long amount, TimeUnit unit) {
    return runsFor(Duration.of(amount, unit.toChronoUnit()));
  }

  /** They run for so long. */
  public PodRule runsFor(Duration time) {
    script.add(match, time, null, null);
    return this;
  }

  /** They run until they are ended. */
  public PodRule neverEnds() {
    return runsFor(FOREVER);
  }

  /**
   * They take so long to end, with 143, once they are told to; at first they end at once. No longer
   * than their grace period, after which they are killed.
   */
  public PodRule takesToStop(long amount, TimeUnit unit) {
    script.add(match, null, null, Duration.of(amount, unit.toChronoUnit()));
    return this;
  }
}
