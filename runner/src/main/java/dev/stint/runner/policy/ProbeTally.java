package dev.stint.runner.policy;

import dev.stint.runner.spec.ProbeSpec;

/**
 * The tally of one probe's results: the newest result, and the number of equal results in a row.
 */
public record ProbeTally(boolean good, int inARow) {
  public static final ProbeTally EMPTY = new ProbeTally(false, 0);

  /** The result of a probe, after its thresholds. */
  public enum ProbeResult {
    PASSED,
    FAILED,
    /** The last result still holds. */
    UNDECIDED
  }

  public ProbeTally after(boolean result) {
    return new ProbeTally(result, result == good ? inARow + 1 : 1);
  }

  public ProbeResult verdict(ProbeSpec spec) {
    if (inARow < (good ? spec.successThreshold() : spec.failureThreshold())) {
      return ProbeResult.UNDECIDED;
    }
    return good ? ProbeResult.PASSED : ProbeResult.FAILED;
  }
}
