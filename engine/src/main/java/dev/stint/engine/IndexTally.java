package dev.stint.engine;

import dev.stint.model.index.IndexSet;
import java.util.HashMap;
import java.util.Map;

/** The number of pods per index: a bitmap, and a count only for indexes with more than one pod. */
final class IndexTally {
  private final IndexSet.Builder indexes = IndexSet.builder();
  private final Map<Integer, Integer> beyondFirst = new HashMap<>();

  void add(int index) {
    if (index < 0) {
      return;
    }
    if (indexes.contains(index)) {
      beyondFirst.merge(index, 1, Integer::sum);
    } else {
      indexes.add(index);
    }
  }

  void remove(int index) {
    if (index < 0) {
      return;
    }
    Integer more = beyondFirst.remove(index);
    if (more == null) {
      indexes.remove(index);
    } else if (more > 1) {
      beyondFirst.put(index, more - 1);
    }
  }

  boolean contains(int index) {
    return index >= 0 && indexes.contains(index);
  }

  /** True if some index has more than one pod. */
  boolean hasDuplicates() {
    return !beyondFirst.isEmpty();
  }

  int max() {
    return indexes.max();
  }

  IndexSet set() {
    return indexes.build();
  }
}
