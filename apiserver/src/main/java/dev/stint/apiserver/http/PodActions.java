package dev.stint.apiserver.http;

import dev.stint.apiserver.ApiServer;
import dev.stint.apiserver.Preconditions;
import dev.stint.apiserver.WriteOptions;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.ObjectRef;
import dev.stint.model.Times;
import java.io.IOException;
import java.time.InstantSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What is done to pods beside writing them: binding and eviction. */
final class PodActions {
  private final ApiServer api;
  private final InstantSource clock;

  PodActions(ApiServer api, InstantSource clock) {
    this.api = api;
    this.clock = clock;
  }

  /**
   * @param name of the pod; "" where the body names it
   */
  Reply bind(Call call, String namespace, String name) throws IOException {
    WriteParameters parameters = WriteParameters.of(call, "CreateOptions");
    ObjectNode binding = Bodies.object(call, "v1", "Binding", parameters.validation());
    Writes.inNamespace(binding, namespace);
    String pod = name.isEmpty() ? or(Json.text(Json.objectAt(binding, "metadata"), "name")) : name;
    ObjectNode target = Json.objectAt(binding, "target");
    String kind = or(Json.text(target, "kind"));
    String node = or(Json.text(target, "name"));
    if (!kind.isEmpty() && !kind.equals("Node") || node.isEmpty()) {
      throw new ClusterException(
          Reason.INVALID,
          "target: must be a Node, by its name; found " + kind + " \"" + node + "\"");
    }
    Waiting.on(
        api.registry().bind(new ObjectRef(Kind.POD, namespace, pod), node, parameters.options()));
    return Reply.json(201, Deletes.success());
  }

  /** Deletes a pod and says in its status that it was a disruption, no fault of its own. */
  Reply evict(Call call, ObjectRef pod) throws IOException {
    WriteParameters parameters = WriteParameters.of(call, "CreateOptions");
    ObjectNode eviction = Bodies.object(call, "policy/v1", "Eviction", parameters.validation());
    String named = or(Json.text(Json.objectAt(eviction, "metadata"), "name"));
    if (!named.equals(pod.name())) {
      throw Bodies.bad("name in URL does not match name in Eviction object");
    }
    ObjectNode options = Json.objectAt(eviction, "deleteOptions");
    ObjectNode preconditions = Json.objectAt(options, "preconditions");
    Preconditions expected =
        new Preconditions(
            Json.text(preconditions, "uid"), Json.text(preconditions, "resourceVersion"));
    WriteOptions how = parameters.options();
    if (!how.dryRun()) {
      Waiting.on(api.registry().updateStatus(pod, expected, this::disrupted, how));
    }
    Waiting.on(
        api.registry()
            .delete(
                pod,
                new Preconditions(expected.uid(), null),
                new DeleteOptions(
                    expected.uid(),
                    Json.longInteger(options, "gracePeriodSeconds"),
                    Propagation.BACKGROUND),
                how));
    return Reply.json(201, Deletes.success());
  }

  private ObjectNode disrupted(ObjectNode pod) {
    ObjectNode after = Json.copyOf(pod);
    ObjectNode status = Json.copyOf(Json.objectAt(pod, "status"));
    ArrayNode conditions = Json.array();
    ArrayNode before = Json.arrayAt(status, "conditions");
    if (before != null) {
      for (JsonNode condition : before) {
        if (!"DisruptionTarget".equals(Json.text(condition, "type"))) {
          conditions.add(condition);
        }
      }
    }
    ObjectNode condition = conditions.addObject();
    condition.put("type", "DisruptionTarget");
    condition.put("status", "True");
    condition.putNull("lastProbeTime");
    condition.put("lastTransitionTime", Times.format(clock.instant()));
    condition.put("reason", "EvictionByEvictionAPI");
    condition.put("message", "Eviction API: evicting");
    status.set("conditions", conditions);
    after.set("status", status);
    return after;
  }

  private static String or(@org.jspecify.annotations.Nullable String text) {
    return text == null ? "" : text;
  }
}
