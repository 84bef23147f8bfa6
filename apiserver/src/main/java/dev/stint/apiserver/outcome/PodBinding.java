package dev.stint.apiserver.outcome;

import dev.stint.apiserver.strategy.ApiErrors;
import dev.stint.apiserver.strategy.MetadataDefaults;
import dev.stint.cluster.ClusterException;
import dev.stint.model.Json;
import dev.stint.model.ObjectRef;
import dev.stint.model.Timestamps;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A request to bind a pod to a node, once, which schedules the pod.
 *
 * @param node the name of the node
 * @param preconditions those on the pod: a scheduler may have decided on an earlier one of its name
 * @param annotations to add to the pod's; null for none
 */
public record PodBinding(
    String node, Preconditions preconditions, @Nullable ObjectNode annotations) {
  /** Returns a binding of whichever pod has the name. */
  public static PodBinding to(String node) {
    return new PodBinding(node, Preconditions.NONE, null);
  }

  /** Returns what a binding asks for. */
  public static PodBinding of(ObjectNode binding, String node) {
    return new PodBinding(
        node,
        Preconditions.of(binding),
        Json.objectAt(Json.objectAt(binding, "metadata"), "annotations"));
  }

  /**
   * Binds a pod. Throws {@code CONFLICT} if it has a node, is being deleted, or waits for its
   * scheduling gates.
   */
  public ChangeOutcome bind(ObjectRef ref, ObjectNode before, Instant now) throws ClusterException {
    ObjectNode pod = MetadataDefaults.edit(before);
    refuseUnlessFree(ref, pod);
    pod.set("spec", Json.copyOf(Json.objectAt(pod, "spec")).put("nodeName", node));
    ObjectNode status = Json.copyOf(Json.objectAt(pod, "status"));
    status.set("conditions", scheduled(Json.arrayAt(status, "conditions"), now));
    pod.set("status", status);
    annotate(MetadataDefaults.of(pod));
    return new ChangeOutcome.Write(pod);
  }

  private static void refuseUnlessFree(ObjectRef ref, ObjectNode pod) throws ClusterException {
    String bound = Json.text(Json.objectAt(pod, "spec"), "nodeName");
    if (bound != null && !bound.isEmpty()) {
      throw ApiErrors.conflict(ref, "pod " + ref.name() + " is already assigned to node " + bound);
    }
    if (MetadataDefaults.isDeleting(pod)) {
      throw ApiErrors.conflict(ref, "pod " + ref.name() + " is being deleted");
    }
    ArrayNode gates = Json.arrayAt(Json.objectAt(pod, "spec"), "schedulingGates");
    if (gates != null && !gates.isEmpty()) {
      throw ApiErrors.conflict(ref, "pod " + ref.name() + " has non-empty .spec.schedulingGates");
    }
  }

  private void annotate(ObjectNode metadata) {
    if (annotations != null && !annotations.isEmpty()) {
      ObjectNode all = Json.copyOf(Json.objectAt(metadata, "annotations"));
      annotations.properties().stream()
          .filter(annotation -> annotation.getValue().isString())
          .forEach(annotation -> all.set(annotation.getKey(), annotation.getValue()));
      metadata.set("annotations", all);
    }
  }

  private static ArrayNode scheduled(@Nullable ArrayNode conditions, Instant now) {
    ArrayNode kept = Json.array();
    if (conditions != null) {
      conditions.forEach(condition -> {
        if (!"PodScheduled".equals(Json.text(condition, "type"))) {
          kept.add(condition);
        }
      });
    }
    ObjectNode scheduled = kept.addObject();
    scheduled.put("type", "PodScheduled");
    scheduled.put("status", "True");
    scheduled.putNull("lastProbeTime");
    scheduled.put("lastTransitionTime", Timestamps.format(now));
    return kept;
  }
}
