package dev.stint.cli.simulate;

import dev.stint.runner.spec.ResourceAmount;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The decisions of a scheduler for equal nodes: higher priorities first, then first in first out.
 * Each pod goes to the emptiest node that it fits. A pod that fits no node is skipped, as in
 * kube-scheduler.
 *
 * @param <P> pods, by equality
 */
final class NodePlacement<P> {
  private final int maxPods;
  private final List<Node> nodes = new ArrayList<>();
  private final TreeSet<Waiting<P>> queue =
      new TreeSet<>(
          Comparator.comparingLong((Waiting<P> each) -> -(long) each.priority())
              .thenComparingLong(Waiting::arrival));
  private final Map<P, Waiting<P>> waiting = new HashMap<>();
  private final Map<P, Placed> placed = new HashMap<>();

  /** The number of waiting pods by what they request: often all the same. */
  private final Map<ResourceAmount, Integer> requests = new HashMap<>();

  private long arrivals;

  private record Waiting<P>(P pod, ResourceAmount request, int priority, long arrival) {}

  private record Placed(Node node, ResourceAmount request) {}

  private static final class Node {
    private ResourceAmount free;
    private int pods;

    Node(ResourceAmount free) {
      this.free = free;
    }
  }

  /**
   * @param each the resources of each node
   * @param maxPods the number of pods that run at once on each node
   */
  NodePlacement(int nodes, ResourceAmount each, int maxPods) {
    this.maxPods = maxPods;
    for (int i = 0; i < nodes; i++) {
      this.nodes.add(new Node(each));
    }
  }

  /** Queues a pod; harmless if it is known. */
  void enqueue(P pod, ResourceAmount request, int priority) {
    if (!waiting.containsKey(pod) && !placed.containsKey(pod)) {
      Waiting<P> entry = new Waiting<>(pod, request, priority, arrivals++);
      waiting.put(pod, entry);
      queue.add(entry);
      requests.merge(request, 1, Integer::sum);
    }
  }

  /** Removes a pod that has ended or was deleted; harmless if it is not known. */
  void remove(P pod) {
    Waiting<P> entry = waiting.remove(pod);
    if (entry != null) {
      queue.remove(entry);
      withdraw(entry);
    }
    Placed was = placed.remove(pod);
    if (was != null) {
      was.node().free = was.node().free.plus(was.request());
      was.node().pods--;
    }
  }

  private void withdraw(Waiting<P> entry) {
    requests.computeIfPresent(entry.request(), (_, n) -> n == 1 ? null : n - 1);
  }

  /** Places all waiting pods that fit; returns them in order. */
  List<P> place() {
    List<P> found = new ArrayList<>();
    Set<ResourceAmount> refused = new HashSet<>();
    Iterator<Waiting<P>> inOrder = queue.iterator();
    while (refused.size() < requests.size() && inOrder.hasNext()) {
      Waiting<P> next = inOrder.next();
      Node node = refused.contains(next.request()) ? null : emptiest(next.request());
      if (node == null) {
        refused.add(next.request());
      } else {
        inOrder.remove();
        bind(next, node);
        found.add(next.pod());
      }
    }
    return found;
  }

  private void bind(Waiting<P> next, Node node) {
    waiting.remove(next.pod());
    withdraw(next);
    placed.put(next.pod(), new Placed(node, next.request()));
    node.free = node.free.minus(next.request());
    node.pods++;
  }

  private @Nullable Node emptiest(ResourceAmount request) {
    Node best = null;
    for (Node node : nodes) {
      boolean fits = node.pods < maxPods && request.fitsInto(node.free);
      if (fits && (best == null || isEmptier(node, best))) {
        best = node;
      }
    }
    return best;
  }

  private static boolean isEmptier(Node one, Node other) {
    return Comparator.comparingLong((Node node) -> -node.free.milliCpu())
            .thenComparingLong(node -> -node.free.memoryBytes())
            .thenComparingInt(node -> node.pods)
            .compare(one, other)
        < 0;
  }
}
