package dev.stint.runner;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Who may run next: first in first out, higher priorities first. Who is next and does not fit yet
 * lets nobody overtake, so that no stream of small pods starves a large one.
 *
 * @param <P> pods, by identity or equality
 */
final class Admission<P> {
  private final int maxPods;
  private final Resources machine;
  private final TreeMap<Integer, LinkedHashMap<P, Resources>> queues =
      new TreeMap<>(Comparator.reverseOrder());
  private final Map<P, Resources> running = new HashMap<>();
  private Resources used = Resources.NONE;

  /**
   * @param maxPods how many run at once
   * @param machine what they share
   */
  Admission(int maxPods, Resources machine) {
    this.maxPods = maxPods;
    this.machine = machine;
  }

  /** Queues a pod. */
  void await(P pod, Resources request, int priority) {
    queues.computeIfAbsent(priority, _ -> new LinkedHashMap<>()).put(pod, request);
  }

  /** A pod waits no longer; harmless where it does not. */
  void withdraw(P pod) {
    queues.values().forEach(queue -> queue.remove(pod));
    queues.values().removeIf(Map::isEmpty);
  }

  /** Counts a pod that runs already, whether there is room for it or not. */
  void take(P pod, Resources request) {
    running.put(pod, request);
    used = used.plus(request);
  }

  /** Lets the next pod in; null where there is none, or no room for it. */
  @Nullable P admit() {
    var first = queues.firstEntry();
    if (first == null || running.size() >= maxPods) {
      return null;
    }
    Map.Entry<P, Resources> head = first.getValue().firstEntry();
    if (!head.getValue().fitsInto(machine.minus(used))) {
      return null;
    }
    first.getValue().pollFirstEntry();
    if (first.getValue().isEmpty()) {
      queues.pollFirstEntry();
    }
    take(head.getKey(), head.getValue());
    return head.getKey();
  }

  /** A pod runs no more. */
  void release(P pod) {
    Resources freed = running.remove(pod);
    if (freed != null) {
      used = used.minus(freed);
    }
  }

  /** How many run. */
  int running() {
    return running.size();
  }
}
