package dev.stint.runner;

import dev.stint.runner.spec.ResourceAmount;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Who may run next: first in first out, higher priorities first. Who is next and does not fit yet
 * lets nobody overtake, so that no stream of small pods starves a large one.
 *
 * @param <P> pods, by identity or equality
 */
final class PodAdmission<P> {
  private final int maxPods;
  private final ResourceAmount machine;
  private final TreeMap<Integer, LinkedHashMap<P, ResourceAmount>> queues =
      new TreeMap<>(Comparator.reverseOrder());
  private final Map<P, ResourceAmount> running = new HashMap<>();
  private ResourceAmount used = ResourceAmount.NONE;

  /**
   * @param maxPods how many run at once
   * @param machine what they share
   */
  PodAdmission(int maxPods, ResourceAmount machine) {
    this.maxPods = maxPods;
    this.machine = machine;
  }

  /** Queues a pod. */
  void await(P pod, ResourceAmount request, int priority) {
    queues.computeIfAbsent(priority, _ -> new LinkedHashMap<>()).put(pod, request);
  }

  /** A pod waits no longer; harmless where it does not. */
  void withdraw(P pod) {
    queues.values().forEach(queue -> queue.remove(pod));
    queues.values().removeIf(Map::isEmpty);
  }

  /** Counts a pod that runs already, whether there is room for it or not. */
  void take(P pod, ResourceAmount request) {
    running.put(pod, request);
    used = used.plus(request);
  }

  /**
   * Lets the next pod in; null where there is none, or no room for it.
   *
   * @param welcome which pods may be let in at all; the others hold up nobody
   */
  @Nullable P admit(Predicate<P> welcome) {
    P next = next(welcome);
    ResourceAmount request = next == null ? null : requestIfRoom(next);
    if (next == null || request == null) {
      return null;
    }
    withdraw(next);
    take(next, request);
    return next;
  }

  /** Whose turn it is, be there room or not; null where nobody waits. */
  @Nullable P next(Predicate<P> welcome) {
    for (LinkedHashMap<P, ResourceAmount> queue : queues.values()) {
      for (P pod : queue.keySet()) {
        if (welcome.test(pod)) {
          return pod;
        }
      }
    }
    return null;
  }

  /** Some of those who wait, the first ones first. */
  List<P> waiting(int most) {
    return queues.values().stream().flatMap(queue -> queue.keySet().stream()).limit(most).toList();
  }

  /** Whether a pod that waits needs more than is free, be there a place for it or not. */
  boolean lacksResources(P pod) {
    return requests(pod).map(wanted -> !wanted.fitsInto(machine.minus(used))).orElse(false);
  }

  private @Nullable ResourceAmount requestIfRoom(P pod) {
    return running.size() >= maxPods || lacksResources(pod) ? null : requests(pod).orElse(null);
  }

  private Optional<ResourceAmount> requests(P pod) {
    return queues.values().stream()
        .map(queue -> queue.get(pod))
        .filter(Objects::nonNull)
        .findFirst();
  }

  /** A pod runs no more. */
  void release(P pod) {
    ResourceAmount freed = running.remove(pod);
    if (freed != null) {
      used = used.minus(freed);
    }
  }

  /** How many run. */
  int running() {
    return running.size();
  }
}
