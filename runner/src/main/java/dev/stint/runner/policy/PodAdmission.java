package dev.stint.runner.policy;

import dev.stint.runner.spec.ResourceAmount;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The queue of pods that wait for room: higher priorities first, then the namespace that runs the
 * fewest pods, then first in first out. A pod that is next and does not fit keeps its turn, so that
 * no stream of small pods starves a large one. A pod that does not fit beside the pods of its own
 * namespace has no turn: it holds up that namespace and no other.
 *
 * @param <P> pods, by identity or equality
 */
public final class PodAdmission<P> {
  /** No limit of a namespace's own. */
  public static final int UNLIMITED = Integer.MAX_VALUE;

  private final int maxPods;
  private final int maxPerNamespace;
  private final ResourceAmount machine;

  /** The waiting pods by priority and namespace. */
  private final TreeMap<Integer, Map<String, Line<P>>> queues =
      new TreeMap<>(Comparator.reverseOrder());

  private final Map<P, PodRequest> waiting = new HashMap<>();
  private final Map<P, PodRequest> running = new HashMap<>();
  private final Map<String, Integer> runningIn = new HashMap<>();
  private final Map<String, ResourceAmount> usedIn = new HashMap<>();
  private ResourceAmount used = ResourceAmount.NONE;
  private long arrivals;

  /** The pod that was next and did not fit; null if there is none. */
  private @Nullable P turn;

  /** The room that a pod takes up, or waits for. */
  private record PodRequest(String namespace, ResourceAmount request, int priority, long arrival) {}

  /** The waiting pods of one priority and namespace, by arrival. */
  private static final class Line<P> {
    private final NavigableMap<Long, P> pods = new TreeMap<>();

    /**
     * Those that were not found unwelcome. Else each admission would ask about all unwelcome pods,
     * of which there may be many thousands.
     */
    private final NavigableMap<Long, P> candidates = new TreeMap<>();

    void add(long arrival, P pod) {
      pods.put(arrival, pod);
      candidates.put(arrival, pod);
    }

    void remove(long arrival) {
      pods.remove(arrival);
      candidates.remove(arrival);
    }

    /** Returns the first welcome pod; null if there is none. */
    @Nullable P first(Predicate<P> welcome) {
      Iterator<P> left = candidates.values().iterator();
      while (left.hasNext()) {
        P pod = left.next();
        if (welcome.test(pod)) {
          return pod;
        }
        left.remove();
      }
      return null;
    }

    void reconsider() {
      if (candidates.size() < pods.size()) {
        candidates.putAll(pods);
      }
    }
  }

  /**
   * A pod that may be next.
   *
   * @param heldUp true if its own namespace holds it up
   */
  private record Candidate<P>(P pod, boolean heldUp, int ofItsNamespace, long arrival) {}

  /**
   * @param maxPods the number of pods that run at once
   * @param maxPerNamespace the same for the pods of one namespace; its others wait and hold up no
   *     pod of another namespace
   * @param machine the resources that they share
   */
  public PodAdmission(int maxPods, int maxPerNamespace, ResourceAmount machine) {
    this.maxPods = maxPods;
    this.maxPerNamespace = maxPerNamespace;
    this.machine = machine;
  }

  /** Queues a pod. */
  public void enqueue(P pod, String namespace, ResourceAmount request, int priority) {
    PodRequest claim = new PodRequest(namespace, request, priority, arrivals++);
    waiting.put(pod, claim);
    queues
        .computeIfAbsent(priority, _ -> new LinkedHashMap<>())
        .computeIfAbsent(namespace, _ -> new Line<>())
        .add(claim.arrival(), pod);
  }

  /** Removes a waiting pod from the queue; harmless if it does not wait. */
  public void withdraw(P pod) {
    PodRequest claim = waiting.remove(pod);
    if (claim == null) {
      return;
    }
    turn = pod.equals(turn) ? null : turn;
    queues.computeIfPresent(
        claim.priority(),
        (_, namespaces) -> {
          namespaces.computeIfPresent(claim.namespace(), (_, line) -> without(line, claim));
          return namespaces.isEmpty() ? null : namespaces;
        });
  }

  private static <P> @Nullable Line<P> without(Line<P> line, PodRequest claim) {
    line.remove(claim.arrival());
    return line.pods.isEmpty() ? null : line;
  }

  /** Has all pods that were unwelcome asked about again: others may be welcome now. */
  public void reconsider() {
    queues.values().forEach(lines -> lines.values().forEach(Line::reconsider));
  }

  /** Has a pod asked about again; harmless if it does not wait. */
  public void reconsider(P pod) {
    PodRequest claim = waiting.get(pod);
    Map<String, Line<P>> lines = claim == null ? null : queues.get(claim.priority());
    Line<P> line = claim == null || lines == null ? null : lines.get(claim.namespace());
    if (claim != null && line != null) {
      line.candidates.put(claim.arrival(), pod);
    }
  }

  /** Counts a pod that runs already, even if there is no room for it. */
  public void take(P pod, String namespace, ResourceAmount request) {
    run(pod, new PodRequest(namespace, request, 0, 0));
  }

  private void run(P pod, PodRequest claim) {
    running.put(pod, claim);
    runningIn.merge(claim.namespace(), 1, Integer::sum);
    usedIn.merge(claim.namespace(), claim.request(), ResourceAmount::plus);
    used = used.plus(claim.request());
  }

  /**
   * Admits the next pod; returns null if there is none, or no room for it.
   *
   * @param welcome selects the pods that may be admitted at all; the others hold up no pod, and are
   *     not asked about again before {@link #reconsider()}
   */
  public @Nullable P admit(Predicate<P> welcome) {
    P next = running.size() < maxPods ? next(welcome) : null;
    PodRequest claim = next == null ? null : waiting.get(next);
    if (next == null || claim == null) {
      return null;
    }
    if (lacksResources(next)) {
      turn = isHeldUp(claim) ? null : next;
      return null;
    }
    withdraw(next);
    run(next, claim);
    return next;
  }

  /**
   * Returns the next pod, even if there is no room for it; null if none waits.
   *
   * @param welcome as for {@link #admit}
   */
  public @Nullable P next(Predicate<P> welcome) {
    Set<String> heldUp = new HashSet<>();
    Candidate<P> last = null;
    for (Map.Entry<Integer, Map<String, Line<P>>> queue : queues.entrySet()) {
      Candidate<P> best = best(queue.getValue(), heldUp, welcome);
      if (best != null && !best.heldUp()) {
        return turnIn(queue.getKey(), welcome, best.pod());
      }
      last = last == null ? best : last;
    }
    return last == null ? null : last.pod();
  }

  /**
   * Returns the best candidate of one priority.
   *
   * @param heldUp the namespaces that hold themselves up, whose pods of lower priorities wait, too;
   *     receives those of this priority
   */
  private @Nullable Candidate<P> best(
      Map<String, Line<P>> namespaces, Set<String> heldUp, Predicate<P> welcome) {
    Candidate<P> best = null;
    for (Map.Entry<String, Line<P>> line : namespaces.entrySet()) {
      String namespace = line.getKey();
      if (!heldUp.contains(namespace)) {
        Candidate<P> first = candidate(namespace, line.getValue(), welcome);
        if (first != null && first.heldUp()) {
          heldUp.add(namespace);
        }
        best = better(best, first);
      }
    }
    return best;
  }

  /** Returns the pod whose turn it is already, if it still waits in this queue. */
  private P turnIn(int priority, Predicate<P> welcome, P otherwise) {
    P first = turn;
    PodRequest claim = first == null ? null : waiting.get(first);
    return first != null
            && claim != null
            && claim.priority() == priority
            && runningIn(claim.namespace()) < maxPerNamespace
            && !isHeldUp(claim)
            && welcome.test(first)
        ? first
        : otherwise;
  }

  private @Nullable Candidate<P> candidate(String namespace, Line<P> line, Predicate<P> welcome) {
    int own = runningIn(namespace);
    P first = own < maxPerNamespace ? line.first(welcome) : null;
    PodRequest claim = first == null ? null : waiting.get(first);
    return first == null || claim == null
        ? null
        : new Candidate<>(first, isHeldUp(claim), own, claim.arrival());
  }

  private static <P> @Nullable Candidate<P> better(
      @Nullable Candidate<P> one, @Nullable Candidate<P> other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    if (one.heldUp() != other.heldUp()) {
      return one.heldUp() ? other : one;
    }
    int fewer = Integer.compare(one.ofItsNamespace(), other.ofItsNamespace());
    return fewer < 0 || (fewer == 0 && one.arrival() < other.arrival()) ? one : other;
  }

  /** True if a pod would not fit even if all pods of other namespaces ended. */
  private boolean isHeldUp(PodRequest claim) {
    ResourceAmount own = usedIn.getOrDefault(claim.namespace(), ResourceAmount.NONE);
    return !claim.request().fitsInto(machine.minus(own));
  }

  private int runningIn(String namespace) {
    return runningIn.getOrDefault(namespace, 0);
  }

  /** Returns the first pods of the queue, in turns of their namespaces. */
  public List<P> waiting(int most) {
    List<P> first = new ArrayList<>();
    for (Map<String, Line<P>> queue : queues.values()) {
      List<Iterator<P>> turns = new ArrayList<>();
      queue.values().forEach(line -> turns.add(line.pods.values().iterator()));
      while (!turns.isEmpty() && first.size() < most) {
        turns.forEach(pods -> first.add(pods.next()));
        turns.removeIf(pods -> !pods.hasNext());
      }
    }
    return List.copyOf(first.subList(0, Math.min(most, first.size())));
  }

  /** True if a waiting pod requests more resources than are free, whatever the number of pods. */
  public boolean lacksResources(P pod) {
    PodRequest claim = waiting.get(pod);
    return claim != null && !claim.request().fitsInto(machine.minus(used));
  }

  /** Releases the room of a pod that has ended. */
  public void release(P pod) {
    PodRequest freed = running.remove(pod);
    if (freed != null) {
      used = used.minus(freed.request());
      runningIn.computeIfPresent(freed.namespace(), (_, n) -> n == 1 ? null : n - 1);
      usedIn.computeIfPresent(
          freed.namespace(),
          (namespace, own) -> runningIn.containsKey(namespace) ? own.minus(freed.request()) : null);
    }
  }

  /** True if a running pod fulfils a condition. */
  public boolean isRunning(Predicate<P> condition) {
    return running.keySet().stream().anyMatch(condition);
  }

  /** Returns the number of running pods. */
  public int running() {
    return running.size();
  }
}
