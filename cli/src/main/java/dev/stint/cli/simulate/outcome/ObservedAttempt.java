package dev.stint.cli.simulate.outcome;

import java.time.Duration;

/**
 * An attempt that happened: of a whole pod, up to its end or its restart.
 *
 * @param number the number of the attempt at its index, from 1
 * @param exitCode 0 if it succeeded
 */
public record ObservedAttempt(int number, Duration duration, int exitCode) {
  boolean failed() {
    return exitCode != 0;
  }
}
