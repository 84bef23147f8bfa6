package dev.stint.apiserver.http.pod;

import dev.stint.apiserver.ApiServer;
import dev.stint.apiserver.UpdateTarget;
import dev.stint.apiserver.http.ApiResponse;
import dev.stint.apiserver.http.Call;
import dev.stint.apiserver.http.handler.BlockingCall;
import dev.stint.apiserver.http.handler.DeleteHandler;
import dev.stint.apiserver.http.handler.DeleteParameters;
import dev.stint.apiserver.http.handler.RequestBodies;
import dev.stint.apiserver.http.handler.WriteHandler;
import dev.stint.apiserver.http.handler.WriteParameters;
import dev.stint.apiserver.http.view.ContentNegotiation;
import dev.stint.apiserver.http.view.ResponseRenderer;
import dev.stint.apiserver.outcome.PodBinding;
import dev.stint.apiserver.outcome.Preconditions;
import dev.stint.apiserver.write.WriteOptions;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.ObjectRef;
import dev.stint.model.Timestamps;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Handles the binding and eviction of pods. */
public final class PodSubresourceHandler {
  /** The equivalent versions of evictions. */
  private static final Set<String> EVICTIONS = Set.of("policy/v1", "policy/v1beta1");

  private final ApiServer api;
  private final InstantSource clock;

  public PodSubresourceHandler(ApiServer api, InstantSource clock) {
    this.api = api;
    this.clock = clock;
  }

  /**
   * @param name of the pod; "" if the body names it
   */
  public ApiResponse bind(Call call, String namespace, String name) throws IOException {
    ResponseRenderer rendering =
        ResponseRenderer.of(call, ContentNegotiation.Offer.WITHOUT_TABLES, clock);
    WriteParameters parameters = WriteParameters.of(call, "CreateOptions");
    ObjectNode binding = RequestBodies.object(call, "v1", "Binding", parameters.validation());
    WriteHandler.setNamespace(binding, namespace);
    String pod = name.isEmpty() ? or(Json.text(Json.objectAt(binding, "metadata"), "name")) : name;
    ObjectNode target = Json.objectAt(binding, "target");
    String kind = or(Json.text(target, "kind"));
    String node = or(Json.text(target, "name"));
    if (!kind.isEmpty() && !kind.equals("Node") || node.isEmpty()) {
      throw new ClusterException(
          Reason.INVALID,
          "target: must be a Node with a name; found " + kind + " \"" + node + "\"");
    }
    ObjectRef ref = new ObjectRef(Kind.POD, namespace, pod);
    BlockingCall.on(api.registry().bind(ref, PodBinding.of(binding, node), parameters.options()));
    return rendering.encoded(201, DeleteHandler.success().put("code", 201));
  }

  /** Deletes a pod, and records in its status that it was disrupted and did not fail. */
  public ApiResponse evict(Call call, ObjectRef pod) throws IOException {
    ResponseRenderer rendering =
        ResponseRenderer.of(call, ContentNegotiation.Offer.WITHOUT_TABLES, clock);
    WriteParameters parameters = WriteParameters.of(call, "CreateOptions");
    ObjectNode eviction =
        RequestBodies.object(call, "policy/v1", "Eviction", EVICTIONS, parameters.validation());
    String named = or(Json.text(Json.objectAt(eviction, "metadata"), "name"));
    if (!named.equals(pod.name())) {
      throw RequestBodies.bad("name in URL does not match name in Eviction object");
    }
    BlockingCall.on(api.registry().get(pod));
    DeleteParameters wanted = DeleteParameters.of(Json.objectAt(eviction, "deleteOptions"));
    WriteOptions how = parameters.options();
    evict(pod, wanted, how.dry(how.dryRun() || wanted.dryRun()));
    return rendering.encoded(201, DeleteHandler.success().put("code", 201));
  }

  private void evict(ObjectRef pod, DeleteParameters wanted, WriteOptions how) {
    Preconditions expected = wanted.preconditions();
    if (!how.dryRun()) {
      KubeObject told =
          BlockingCall.on(
              api.registry().update(UpdateTarget.STATUS, pod, expected, this::disrupted, how));
      String version = expected.resourceVersion() == null ? null : told.resourceVersion();
      expected = new Preconditions(expected.uid(), version);
    }
    BlockingCall.on(api.registry().delete(pod, expected, wanted.options(), how));
  }

  private ObjectNode disrupted(ObjectNode pod) {
    ObjectNode after = Json.copyOf(pod);
    ObjectNode status = Json.copyOf(Json.objectAt(pod, "status"));
    ArrayNode conditions = Json.array();
    ArrayNode before = Json.arrayAt(status, "conditions");
    if (before != null) {
      for (JsonNode condition : before) {
        if (!Names.DISRUPTION_TARGET.equals(Json.text(condition, "type"))) {
          conditions.add(condition);
        }
      }
    }
    ObjectNode condition = conditions.addObject();
    condition.put("type", Names.DISRUPTION_TARGET);
    condition.put("status", "True");
    condition.putNull("lastProbeTime");
    condition.put("lastTransitionTime", Timestamps.format(clock.instant()));
    condition.put("reason", "EvictionByEvictionAPI");
    condition.put("message", "Eviction API: evicting");
    status.set("conditions", conditions);
    after.set("status", status);
    return after;
  }

  private static String or(@Nullable String text) {
    return text == null ? "" : text;
  }
}
