package dev.stint.runner.policy;

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
 * The queue of pods that wait for room: higher priorities first, then first in first out. No pod
 * overtakes the next one, even if that does not fit yet, so that no stream of small pods starves a
 * large one.
 *
 * @param <P> pods, by identity or equality
 */
public final class PodAdmission<P> {
  private final int maxPods;
  private final ResourceAmount machine;
  private final TreeMap<Integer, LinkedHashMap<P, ResourceAmount>> queues =
      new TreeMap<>(Comparator.reverseOrder());
  private final Map<P, ResourceAmount> running = new HashMap<>();
  private ResourceAmount used = ResourceAmount.NONE;

  /**
   * @param maxPods the number of pods that run at once
   * @param machine the resources that they share
   */
  public PodAdmission(int maxPods, ResourceAmount machine) {
    this.maxPods = maxPods;
    this.machine = machine;
  }

  /** Queues a pod. */
  public void enqueue(P pod, ResourceAmount request, int priority) {
    queues.computeIfAbsent(priority, _ -> new LinkedHashMap<>()).put(pod, request);
  }

  /** Removes a waiting pod from the queue; harmless if it does not wait. */
  public void withdraw(P pod) {
    queues.values().forEach(queue -> queue.remove(pod));
    queues.values().removeIf(Map::isEmpty);
  }

  /** Counts a pod that runs already, even if there is no room for it. */
  public void take(P pod, ResourceAmount request) {
    running.put(pod, request);
    used = used.plus(request);
  }

  /**
   * Admits the next pod; returns null if there is none, or no room for it.
   *
   * @param welcome selects the pods that may be admitted at all; the others hold up no pod
   */
  public @Nullable P admit(Predicate<P> welcome) {
    P next = next(welcome);
    ResourceAmount request = next == null ? null : requestIfRoom(next);
    if (next == null || request == null) {
      return null;
    }
    withdraw(next);
    take(next, request);
    return next;
  }

  /** Returns the next pod, even if there is no room for it; null if none waits. */
  public @Nullable P next(Predicate<P> welcome) {
    for (LinkedHashMap<P, ResourceAmount> queue : queues.values()) {
      for (P pod : queue.keySet()) {
        if (welcome.test(pod)) {
          return pod;
        }
      }
    }
    return null;
  }

  /** Returns the first pods of the queue. */
  public List<P> waiting(int most) {
    return queues.values().stream().flatMap(queue -> queue.keySet().stream()).limit(most).toList();
  }

  /** True if a waiting pod requests more resources than are free, whatever the number of pods. */
  public boolean lacksResources(P pod) {
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

  /** Releases the room of a pod that has ended. */
  public void release(P pod) {
    ResourceAmount freed = running.remove(pod);
    if (freed != null) {
      used = used.minus(freed);
    }
  }

  /** Returns the number of running pods. */
  public int running() {
    return running.size();
  }
}
