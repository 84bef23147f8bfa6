package dev.stint.conformance.histories;

import dev.stint.conformance.histories.JobHistory.Step;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Chooses the histories that every build replays: those in which most happens that happens in no
 * other chosen one.
 */
final class HistoryGate {
  private static final int SIZE = 500;

  private HistoryGate() {}

  /** Returns the numbers of the chosen histories, in order. */
  static List<Integer> of(List<JobHistory> histories) {
    Map<Integer, Set<String>> left = new TreeMap<>();
    histories.forEach(each -> left.put(each.id(), features(each)));
    List<Integer> chosen = new ArrayList<>();
    while (chosen.size() < SIZE && !left.isEmpty()) {
      int best =
          Collections.max(left.entrySet(), Comparator.comparingInt(each -> each.getValue().size()))
              .getKey();
      Set<String> seen = left.remove(best);
      left.values().forEach(features -> features.removeAll(seen));
      chosen.add(best);
    }
    return chosen.stream().sorted().toList();
  }

  /** Returns what happens: each step with what follows, without numbers, and the Job's fields. */
  private static Set<String> features(JobHistory history) {
    Set<String> features = new HashSet<>();
    String fields = String.join(" ", history.job().get("spec").propertyNames());
    for (Step step : history.steps()) {
      String fate = step.fate().verb() + " " + shape(step.fate().pods().toString());
      for (String status : step.outcome().statuses()) {
        features.add(fate + " " + shape(status));
        features.add(fields + " " + shape(status));
      }
      features.add(fate + " " + shape(step.outcome().pods()));
    }
    return features;
  }

  private static String shape(String text) {
    return text.replaceAll("\\d+(x|-\\d+|,\\d+)*", "");
  }
}
