package dev.stint.bench.attack;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Counts what a server answers: status codes, and connections that it closed. */
final class Answers {
  private final Map<String, Integer> counts = new TreeMap<>();

  synchronized void add(String answer) {
    counts.merge(answer, 1, Integer::sum);
  }

  void add(int code) {
    add(Integer.toString(code));
  }

  synchronized int count(String answer) {
    return counts.getOrDefault(answer, 0);
  }

  @Override
  public synchronized String toString() {
    return counts.isEmpty()
        ? "no answer"
        : counts.entrySet().stream()
            .map(each -> "%,d × %s".formatted(each.getValue(), each.getKey()))
            .collect(Collectors.joining(", "));
  }
}
