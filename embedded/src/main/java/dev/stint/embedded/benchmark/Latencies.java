package dev.stint.embedded.benchmark;

import dev.stint.embedded.benchmark.JobRunReport.Percentiles;
import java.util.Arrays;

/** Collects latencies. Thread-safe. */
final class Latencies {
  private static final double NANOS_PER_MILLI = 1e6;

  private long[] nanos = new long[1024];
  private int size;

  synchronized void add(long each) {
    if (size == nanos.length) {
      nanos = Arrays.copyOf(nanos, 2 * size);
    }
    nanos[size++] = each;
  }

  synchronized Percentiles percentiles() {
    long[] sorted = Arrays.copyOf(nanos, size);
    Arrays.sort(sorted);
    return new Percentiles(at(sorted, 0.5), at(sorted, 0.99));
  }

  private static double at(long[] sorted, double share) {
    return sorted.length == 0
        ? 0
        : sorted[(int) Math.min(sorted.length - 1, sorted.length * share)] / NANOS_PER_MILLI;
  }
}
