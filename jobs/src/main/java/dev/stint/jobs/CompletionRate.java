package dev.stint.jobs;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The rate at which one Job, or several together, complete their work.
 *
 * @param before the counts at the start, so that a resumed Job does not seem fast
 * @param start the start of the Job or of the observation
 */
public record CompletionRate(JobCounts before, Instant start) {
  private static final Duration SETTLING = Duration.ofSeconds(1);

  /**
   * Returns the settled units of work per second since the start; empty while it is too early to
   * tell.
   */
  public Optional<Double> rate(JobCounts now, Instant time) {
    long done = now.settled() - before.settled();
    Duration elapsed = elapsed(time);
    return done <= 0 || elapsed.compareTo(SETTLING) < 0
        ? Optional.empty()
        : Optional.of(done * 1000.0 / elapsed.toMillis());
  }

  /** Returns the time that the remaining work takes at this rate; empty if it is unknown. */
  public Optional<Duration> timeLeft(JobCounts now, Instant time) {
    Long completions = now.completions();
    if (completions == null || completions <= now.settled()) {
      return Optional.empty();
    }
    double rest = completions - now.settled();
    return rate(now, time).map(perSecond -> Duration.ofSeconds((long) Math.ceil(rest / perSecond)));
  }

  /** Returns the time since the start; never negative. */
  public Duration elapsed(Instant time) {
    Duration elapsed = Duration.between(start, time);
    return elapsed.isNegative() ? Duration.ZERO : elapsed;
  }
}
