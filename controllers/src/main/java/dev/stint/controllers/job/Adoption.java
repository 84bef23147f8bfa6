package dev.stint.controllers.job;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.field.FieldPath;
import dev.stint.model.meta.LabelSelectorRules;
import dev.stint.model.pod.PodPhase;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Decides which Job owns a pod. A pod without a controller that a Job's selector matches becomes
 * the Job's: one patch adds the owner reference and the tracking finalizer, so that the pod is
 * tracked from its first moment on (KEP-2307, Pod adoption). A pod that no longer matches is
 * released, likewise in one patch.
 */
final class Adoption {
  private static final List<String> KEPT =
      List.of(
          "namespace", "name", "uid", "resourceVersion", "labels", "ownerReferences", "finalizers");

  /** Pods without a controller. Many of them may never be adopted, so little of each is kept. */
  private final Map<String, KubeObject> loose = new HashMap<>();

  /** The same pods, so that a Job looks only at those that it may match. */
  private final ByNamespace<KubeObject> looseIn = new ByNamespace<>();

  /** Records a pod that has no controller. */
  void put(KubeObject pod) {
    if (pod.deletionTimestamp() == null) {
      KubeObject bare = bare(pod);
      loose.put(pod.uid(), bare);
      looseIn.put(bare, bare);
    } else {
      remove(pod.uid());
    }
  }

  /** Reduces a pod to what adoption decides on, and what a patch of the pod needs. */
  private static KubeObject bare(KubeObject pod) {
    ObjectNode tree = Json.object();
    tree.put("apiVersion", pod.apiVersion()).put("kind", pod.kindName());
    ObjectNode found = pod.metadata();
    ObjectNode metadata = tree.putObject("metadata");
    for (String member : KEPT) {
      JsonNode value = found == null ? null : found.get(member);
      if (value != null) {
        metadata.set(member, value);
      }
    }
    PodPhase phase = PodPhase.of(pod);
    if (phase.isTerminal()) {
      tree.putObject("status").put("phase", phase.name());
    }
    return KubeObject.of(tree);
  }

  /** Forgets a pod that does not exist any more, or has a controller. */
  void remove(String uid) {
    KubeObject pod = loose.remove(uid);
    if (pod != null) {
      looseIn.remove(pod);
    }
  }

  /** Returns the pods without a controller that the Job may adopt. */
  List<KubeObject> of(KubeObject job) {
    return looseIn.in(job.namespace()).stream().filter(pod -> mayAdopt(job, pod)).toList();
  }

  /** True if a Job may adopt a pod that has no controller. */
  static boolean mayAdopt(KubeObject job, KubeObject pod) {
    return pod.deletionTimestamp() == null && matches(job, pod) && !isCounted(job, pod);
  }

  /**
   * True if a pod was the Job's until somebody removed its owner, and has been counted: it would
   * count again. Only a Job whose selector is generated can tell.
   */
  private static boolean isCounted(KubeObject job, KubeObject pod) {
    return PodPhase.of(pod).isTerminal()
        && !OrphanPods.isTracked(pod)
        && job.uid().equals(pod.label(Names.CONTROLLER_UID));
  }

  /** True if the Job's selector matches a pod. */
  static boolean matches(KubeObject job, KubeObject pod) {
    if (!job.namespace().equals(pod.namespace())) {
      return false;
    }
    FieldPath selector = FieldPath.root(job.tree()).get("spec", "selector");
    return selector.exists() && LabelSelectorRules.matches(selector, pod.labels());
  }

  /**
   * Adopts a pod for the Job.
   *
   * @param cluster sends the writes of the Job
   * @return the adopted pod; null if it cannot be adopted, as the Job or the pod is gone, or either
   *     has changed
   */
  CompletableFuture<@Nullable KubeObject> adopt(Cluster cluster, KubeObject job, KubeObject pod) {
    return cluster
        .get(job.ref())
        .thenCompose(now ->
            now.uid().equals(job.uid()) && now.deletionTimestamp() == null
                ? cluster.patch(pod.ref(), adopting(job, pod))
                : CompletableFuture.completedFuture(null))
        .exceptionally(Adoption::unlessChanged);
  }

  /** Releases a pod that the Job's selector does not match any more. */
  CompletableFuture<@Nullable KubeObject> release(Cluster cluster, KubeObject job, KubeObject pod) {
    return cluster
        .patch(pod.ref(), releasing(job.uid(), pod))
        .exceptionally(Adoption::unlessChanged);
  }

  private static @Nullable KubeObject unlessChanged(Throwable failure) {
    if (ClusterException.causeOf(failure) instanceof ClusterException refused
        && List.of(Reason.NOT_FOUND, Reason.CONFLICT).contains(refused.reason())) {
      return null; // The watch will report its next state.
    }
    throw failure instanceof RuntimeException known ? known : new IllegalStateException(failure);
  }

  private static ObjectNode adopting(KubeObject job, KubeObject pod) {
    ObjectNode metadata = exactly(pod);
    ArrayNode owners = metadata.putArray("ownerReferences");
    members(pod, "ownerReferences").forEach(owners::add);
    owners.add(PodFactory.ownerReference(job));
    ArrayNode finalizers = metadata.putArray("finalizers");
    members(pod, "finalizers").forEach(finalizers::add);
    if (!pod.finalizers().contains(Names.TRACKING_FINALIZER)) {
      finalizers.add(Names.TRACKING_FINALIZER);
    }
    return Json.object().set("metadata", metadata);
  }

  private static ObjectNode releasing(String jobUid, KubeObject pod) {
    ObjectNode metadata = exactly(pod);
    ArrayNode owners = metadata.putArray("ownerReferences");
    members(pod, "ownerReferences").stream()
        .filter(owner -> !jobUid.equals(Json.text(owner, "uid")))
        .forEach(owners::add);
    ArrayNode finalizers = metadata.putArray("finalizers");
    pod.finalizers().stream()
        .filter(finalizer -> !finalizer.equals(Names.TRACKING_FINALIZER))
        .forEach(finalizers::add);
    return Json.object().set("metadata", metadata);
  }

  /** Returns the start of a patch that applies only to exactly this pod in exactly this state. */
  private static ObjectNode exactly(KubeObject pod) {
    return Json.object().put("uid", pod.uid()).put("resourceVersion", pod.resourceVersion());
  }

  private static List<JsonNode> members(KubeObject pod, String list) {
    ArrayNode found = Json.arrayAt(pod.metadata(), list);
    return found == null ? List.of() : found.valueStream().toList();
  }
}
