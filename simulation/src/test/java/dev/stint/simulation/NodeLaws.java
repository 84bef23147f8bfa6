package dev.stint.simulation;

import dev.stint.cluster.ClusterRequest;
import dev.stint.cluster.ClusterRequest.Verb;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.pod.PodPhase;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The laws of the pod garbage collector (Kubernetes documentation, Garbage collection of Pods). It
 * may fail and delete pods whose node is gone for longer than the quarantine, pods that are being
 * deleted and were never bound, and the oldest finished pods above its threshold.
 */
final class NodeLaws {
  /** How long a node has to be gone. */
  private static final Duration QUARANTINE = Duration.ofSeconds(40);

  /** A time without a node: until its end it is {@link Instant#MAX}. */
  private record Absence(Instant from, Instant to) {}

  private final int threshold;
  private final Function<String, @Nullable KubeObject> stored;
  private final Map<String, List<Absence>> absences = new HashMap<>();

  /** When the collector last asked for a node of which it had not heard for long. */
  private final Map<String, Instant> asked = new HashMap<>();

  /** When the collector was last told that a node exists. */
  private final Map<String, Instant> told = new HashMap<>();

  private Instant begun = Instant.MIN;

  /** The finished pods that ever were, by uid, with the time of their creation. */
  private final Map<String, Instant> finished = new HashMap<>();

  /** The pods that the collector may delete, as far as it has asked for that. */
  private final Set<String> collected = new HashSet<>();

  private @Nullable InstantSource clock;

  /**
   * @param threshold how many finished pods may stay
   * @param stored finds the stored pod of a namespace and name
   */
  NodeLaws(int threshold, Function<String, @Nullable KubeObject> stored) {
    this.threshold = threshold;
    this.stored = stored;
  }

  /** Begins a process, which knows nothing. */
  void begin(InstantSource clockOfProcess) {
    clock = clockOfProcess;
    asked.clear();
    told.clear();
    begun = now();
  }

  private Instant now() {
    return clock == null ? SimulatedSystem.START : clock.instant();
  }

  /** Checks a durable change; returns what is wrong with it. */
  @Nullable String changed(@Nullable KubeObject before, @Nullable KubeObject after) {
    if (after == null || !after.kind().equals(Kind.POD)) {
      onNode(before, after);
      return null;
    }
    if (PodPhase.of(after).isTerminal() && after.creationTimestamp() != null) {
      finished.put(after.uid(), after.creationTimestamp());
    }
    if (before == null || isByCollector(before) || !isByCollector(after)) {
      return null;
    }
    return PodPhase.of(before).isTerminal()
        ? "had ended and is failed for its node"
        : isCollected(after) ? null : "is failed though its node is not gone for long";
  }

  private void onNode(@Nullable KubeObject before, @Nullable KubeObject after) {
    KubeObject any = after == null ? before : after;
    if (any != null && any.kind().equals(Kind.NODE) && (before == null || after == null)) {
      List<Absence> all = absences(any.name());
      if (after == null) {
        all.add(new Absence(now(), Instant.MAX));
      } else {
        all.add(new Absence(all.removeLast().from(), now()));
      }
    }
  }

  /** Returns when a node was gone. Before it is first created it was, too. */
  private List<Absence> absences(String node) {
    return absences.computeIfAbsent(
        node, _ -> new ArrayList<>(List.of(new Absence(Instant.MIN, Instant.MAX))));
  }

  private static boolean isByCollector(KubeObject pod) {
    for (JsonNode condition : pod.tree().at("/status/conditions")) {
      if (condition.path("reason").asString("").equals("DeletionByPodGC")) {
        return true;
      }
    }
    return false;
  }

  /** Notes that the collector is told of an object. */
  void onTold(KubeObject object) {
    if (object.kind().equals(Kind.NODE)) {
      told.put(object.name(), now());
    }
  }

  /** Notes what the collector asks for, and whether it has a right to that. */
  void onRequest(ClusterRequest request) {
    if (request.verb() == Verb.GET && request.ref().kind().equals(Kind.NODE)) {
      onQuestion(request.ref().name());
    }
    KubeObject pod =
        request.isWrite()
            ? stored.apply(request.ref().namespace() + "/" + request.ref().name())
            : null;
    boolean deletes = request.verb() == Verb.DELETE;
    if (pod != null && (isOrphaned(pod) || isNeverBound(pod) || deletes && isSurplus(pod))) {
      collected.add(pod.uid());
    }
  }

  private void onQuestion(String node) {
    asked.remove(node);
    if (!told.getOrDefault(node, begun).plus(QUARANTINE).isAfter(now())) {
      asked.put(node, now());
    }
  }

  /** True if the collector has asked for a deletion, or a failure, to which it had a right. */
  boolean isCollected(KubeObject pod) {
    return collected.contains(pod.uid());
  }

  /** A node is gone if it was at some time since the collector asked. */
  private boolean isOrphaned(KubeObject pod) {
    String node = pod.specText("nodeName");
    Instant since = node == null ? null : asked.get(node);
    return since != null
        && absences(node).stream().anyMatch(gone -> !gone.to().isBefore(since) && ends(gone, pod));
  }

  /** True if the pod existed while its node was gone. */
  private static boolean ends(Absence gone, KubeObject pod) {
    Instant created = pod.creationTimestamp();
    return created == null || !gone.to().isBefore(created);
  }

  private static boolean isNeverBound(KubeObject pod) {
    String node = pod.specText("nodeName");
    return (node == null || node.isEmpty()) && pod.deletionTimestamp() != null;
  }

  /** True if enough others have finished that are not older. */
  private boolean isSurplus(KubeObject pod) {
    Instant created = finished.get(pod.uid());
    return created != null
        && finished.entrySet().stream()
                .filter(each -> !each.getKey().equals(pod.uid()))
                .filter(each -> !each.getValue().isBefore(created))
                .count()
            >= threshold;
  }

  /** Returns what is wrong with the pods that are left once nothing changes any more. */
  @Nullable String atEnd(Stream<KubeObject> pods) {
    List<KubeObject> left = pods.toList();
    for (KubeObject pod : left) {
      String node = pod.specText("nodeName");
      if (node != null && !node.isEmpty() && absences(node).getLast().to().equals(Instant.MAX)) {
        return pod + " stays on a node that is gone";
      }
      if (isNeverBound(pod)) {
        return pod + " is being deleted for ever";
      }
    }
    long ended = left.stream().filter(pod -> PodPhase.of(pod).isTerminal()).count();
    return ended > threshold ? ended + " finished pods stay, and " + threshold + " may" : null;
  }
}
