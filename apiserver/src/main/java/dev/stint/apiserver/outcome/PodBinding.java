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

/** Binds a pod to a node, once, which schedules the pod. */
public final class PodBinding {
  private PodBinding() {}

  /**
   * Binds a pod. Throws {@code CONFLICT} if it has a node, has a scheduling gate, or is being
   * deleted.
   */
  public static ChangeOutcome bind(ObjectRef ref, ObjectNode before, String node, Instant now)
      throws ClusterException {
    ObjectNode pod = MetadataDefaults.edit(before);
    String bound = Json.text(Json.objectAt(pod, "spec"), "nodeName");
    if (bound != null && !bound.isEmpty()) {
      throw ApiErrors.conflict(ref, "pod " + ref.name() + " is already assigned to node " + bound);
    }
    ArrayNode gates = Json.arrayAt(Json.objectAt(pod, "spec"), "schedulingGates");
    if (gates != null && !gates.isEmpty()) {
      throw ApiErrors.conflict(ref, "pod " + ref.name() + " has non-empty .spec.schedulingGates");
    }
    if (MetadataDefaults.isDeleting(pod)) {
      throw ApiErrors.conflict(ref, "pod " + ref.name() + " is being deleted");
    }
    pod.set("spec", Json.copyOf(Json.objectAt(pod, "spec")).put("nodeName", node));
    ObjectNode status = Json.copyOf(Json.objectAt(pod, "status"));
    status.set("conditions", scheduled(Json.arrayAt(status, "conditions"), now));
    pod.set("status", status);
    return new ChangeOutcome.Write(pod);
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
