package dev.stint.runner;

import dev.stint.runner.spec.ProbeSpec;

/**
 * The tally of one probe's results: the newest result, and the number of equal results in a row.
 */
record ProbeTally(boolean good, int inARow) {
  static final ProbeTally EMPTY = new ProbeTally(false, 0);

  /** The verdict of a probe. */
  enum Verdict {
    PASSED,
    FAILED,
    /** The last verdict still holds. */
    UNDECIDED
  }

  ProbeTally after(boolean result) {
    return new ProbeTally(result, result == good ? inARow + 1 : 1);
  }

  Verdict verdict(ProbeSpec spec) {
    if (inARow < (good ? spec.successThreshold() : spec.failureThreshold())) {
      return Verdict.UNDECIDED;
    }
    return good ? Verdict.PASSED : Verdict.FAILED;
  }
}
