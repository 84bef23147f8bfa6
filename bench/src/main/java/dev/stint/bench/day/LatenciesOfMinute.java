package dev.stint.bench.day;

import java.util.ArrayList;
import java.util.List;

/** The times that something took. */
final class LatenciesOfMinute {
  private final List<Long> nanos = new ArrayList<>();

  synchronized void add(long taken) {
    nanos.add(taken);
  }

  /** Returns a quantile in milliseconds; 0 if there is none. */
  synchronized double quantile(double share) {
    List<Long> sorted = nanos.stream().sorted().toList();
    return sorted.isEmpty() ? 0 : sorted.get((int) ((sorted.size() - 1) * share)) / 1e6;
  }

  /** Returns what was added since the last call, and forgets it. */
  synchronized LatenciesOfMinute take() {
    LatenciesOfMinute taken = new LatenciesOfMinute();
    taken.nanos.addAll(nanos);
    nanos.clear();
    return taken;
  }
}
