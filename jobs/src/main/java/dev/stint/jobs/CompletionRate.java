package dev.stint.jobs;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How fast a Job goes, or several together.
 *
 * @param before the counts when it began, or when somebody began to look, so that a Job that is
 *     resumed does not seem fast
 * @param start when that was
 */
public record CompletionRate(JobCounts before, Instant start) {
  private static final Duration SETTLING = Duration.ofSeconds(1);

  /** Settled work for each second since the start; empty while it is too early to tell. */
  public Optional<Double> rate(JobCounts now, Instant time) {
    long done = now.settled() - before.settled();
    Duration elapsed = elapsed(time);
    return done <= 0 || elapsed.compareTo(SETTLING) < 0
        ? Optional.empty()
        : Optional.of(done * 1000.0 / elapsed.toMillis());
  }

  /** The time that the rest takes at this rate; empty where it cannot be told. */
  public Optional<Duration> left(JobCounts now, Instant time) {
    Long completions = now.completions();
    if (completions == null || completions <= now.settled()) {
      return Optional.empty();
    }
    double rest = completions - now.settled();
    return rate(now, time).map(perSecond -> Duration.ofSeconds((long) Math.ceil(rest / perSecond)));
  }

  /** The time since the start; never less than nothing. */
  public Duration elapsed(Instant time) {
    Duration elapsed = Duration.between(start, time);
    return elapsed.isNegative() ? Duration.ZERO : elapsed;
  }
}
