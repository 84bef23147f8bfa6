package dev.stint.simulation;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** Counts the faults of a world by kind. */
final class FaultCounts {
  private final SortedMap<String, Integer> counts = new TreeMap<>();

  void add(String kind) {
    counts.merge(kind, 1, Integer::sum);
  }

  SortedMap<String, Integer> read() {
    return Collections.unmodifiableSortedMap(counts);
  }
}
