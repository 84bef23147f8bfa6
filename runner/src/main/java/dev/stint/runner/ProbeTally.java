package dev.stint.runner;

import dev.stint.runner.spec.ProbeSpec;

/**
 * The results of one probe so far, as far as they matter: what the newest one was, and how many
 * alike stand in a row.
 */
record ProbeTally(boolean good, int inARow) {
  static final ProbeTally EMPTY = new ProbeTally(false, 0);

  /** What a probe says. */
  enum Verdict {
    PASSED,
    FAILED,
    /** What it said before still holds. */
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
