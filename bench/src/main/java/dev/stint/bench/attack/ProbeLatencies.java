package dev.stint.bench.attack;

import java.util.ArrayList;
import java.util.List;

/** The times that probes took, and how many of them failed. */
final class ProbeLatencies {
  private final List<Double> millis = new ArrayList<>();
  private int failed;

  synchronized void add(double taken) {
    millis.add(taken);
  }

  /** Counts a probe that was not answered in time. */
  synchronized void addFailure(double taken) {
    add(taken);
    failed++;
  }

  /** Returns what was recorded so far. */
  synchronized ProbeLatencies copy() {
    ProbeLatencies copy = new ProbeLatencies();
    copy.millis.addAll(millis);
    copy.failed = failed;
    return copy;
  }

  private double quantile(double share) {
    List<Double> sorted = millis.stream().sorted().toList();
    return sorted.isEmpty()
        ? 0
        : sorted.get((int) Math.min(sorted.size() - 1, sorted.size() * share));
  }

  @Override
  public synchronized String toString() {
    return "%.0f / %.0f / %.0f ms of %d%s"
        .formatted(
            quantile(0.5),
            quantile(0.99),
            quantile(1),
            millis.size(),
            failed == 0 ? "" : ", **%d failed**".formatted(failed));
  }
}
