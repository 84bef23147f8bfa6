package dev.stint.controllers.gc;

import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.pod.PodPhase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * The pod garbage collector's projection of a pod.
 *
 * @param node the node that it runs on; "" if it is not bound
 */
record CollectablePod(
    ObjectRef ref, String uid, Instant created, boolean finished, boolean deleting, String node) {
  private static final Comparator<CollectablePod> OLDEST_FIRST =
      Comparator.comparing(CollectablePod::created).thenComparing(pod -> pod.ref().name());

  static CollectablePod of(KubeObject pod) {
    return new CollectablePod(
        new ObjectRef(pod.kind(), pod.namespace().intern(), pod.name()),
        pod.uid(),
        Objects.requireNonNullElse(pod.creationTimestamp(), Instant.EPOCH),
        PodPhase.of(pod).isTerminal(),
        pod.deletionTimestamp() != null,
        Objects.requireNonNullElse(pod.specText("nodeName"), "").intern());
  }

  /** Returns the pods on missing nodes, where no kubelet will ever end them. */
  static List<CollectablePod> orphans(Collection<CollectablePod> pods, Set<String> goneNodes) {
    return pods.stream().filter(pod -> goneNodes.contains(pod.node())).toList();
  }

  /** Returns the pods that are being deleted and were never bound, which no kubelet will end. */
  static List<CollectablePod> neverBound(Collection<CollectablePod> pods) {
    return pods.stream().filter(pod -> pod.deleting() && pod.node().isEmpty()).toList();
  }

  /**
   * Returns the finished pods above the threshold, the oldest first.
   *
   * @param threshold how many may stay
   */
  static List<CollectablePod> surplus(Collection<CollectablePod> pods, int threshold) {
    List<CollectablePod> finished = new ArrayList<>();
    for (CollectablePod pod : pods) {
      if (pod.finished() && !pod.deleting()) {
        finished.add(pod);
      }
    }
    if (finished.size() <= threshold) {
      return List.of();
    }
    finished.sort(OLDEST_FIRST);
    return finished.subList(0, finished.size() - threshold);
  }
}
