package dev.stint.apiserver.http.handler;

import dev.stint.apiserver.ApiServer;
import dev.stint.apiserver.Registry;
import dev.stint.apiserver.UpdateTarget;
import dev.stint.apiserver.http.ApiResponse;
import dev.stint.apiserver.http.Call;
import dev.stint.apiserver.http.view.ObjectView;
import dev.stint.apiserver.http.view.ResponseRenderer;
import dev.stint.apiserver.outcome.Preconditions;
import dev.stint.apiserver.patch.ManagedFields;
import dev.stint.apiserver.write.WriteOptions;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.io.IOException;
import java.time.InstantSource;
import tools.jackson.databind.node.ObjectNode;

/** Handles creations and replacements. */
public final class WriteHandler {
  private final ApiServer api;
  private final InstantSource clock;

  public WriteHandler(ApiServer api, InstantSource clock) {
    this.api = api;
    this.clock = clock;
  }

  /**
   * @param namespace named by the path; "" for none
   */
  public ApiResponse create(Call call, Kind kind, String namespace) throws IOException {
    ResponseRenderer rendering = ResponseRenderer.of(call, clock);
    WriteParameters parameters = WriteParameters.of(call, "CreateOptions");
    ObjectNode object = object(call, kind, parameters);
    setNamespace(object, namespace);
    OwnerWarnings.dropRepeated(object, call.warnings());
    ObjectView view = ObjectView.of(call);
    WriteOptions options =
        view.rules(parameters.options(), kind)
            .by(FieldManagerNames.updating(call, view.kind(kind), ""));
    KubeObject created =
        BlockingCall.on(api.registry().create(KubeObject.of(view.kept(object, null)), options));
    return rendering.one(201, created);
  }

  public ApiResponse replace(Call call, ObjectRef ref, String subresource) throws IOException {
    ResponseRenderer rendering = ResponseRenderer.of(call, clock);
    WriteParameters parameters = WriteParameters.of(call, "UpdateOptions");
    ObjectNode object = object(call, ref.kind(), parameters);
    setNamespace(object, ref.namespace());
    requireName(object, ref.name());
    OwnerWarnings.dropRepeated(object, call.warnings());
    ObjectView view = ObjectView.of(call);
    WriteOptions options =
        view.rules(parameters.options(), ref.kind())
            .by(FieldManagerNames.updating(call, view.object().kind(ref.kind()), subresource));
    UpdateTarget target = UpdateTarget.of(subresource);
    if (target == UpdateTarget.MAIN) {
      Registry.Applied replaced =
          BlockingCall.on(api.registry().replace(ref, view.kept(object, null), options));
      return rendering.one(replaced.created() ? 201 : 200, replaced.object());
    }
    KubeObject written =
        BlockingCall.on(
            api.registry()
                .update(
                    target,
                    ref,
                    Preconditions.of(object),
                    before -> view.kept(object, before),
                    options));
    return rendering.one(200, written);
  }

  private static ObjectNode object(Call call, Kind kind, WriteParameters parameters)
      throws IOException {
    ObjectNode object = RequestBodies.object(call, kind, parameters.validation());
    ManagedFields.keepSound(
        object, ObjectView.of(call).kind(kind).apiVersion(), RequestBodies.shape(call));
    return object;
  }

  /** Sets the namespace of an object from the path; throws if the object names another one. */
  public static void setNamespace(ObjectNode object, String namespace) {
    ObjectNode metadata = metadata(object);
    String own = Json.text(metadata, "namespace");
    if (namespace.isEmpty()) {
      return;
    }
    if (own != null && !own.isEmpty() && !own.equals(namespace)) {
      throw RequestBodies.bad(
          "the namespace of the provided object does not match the namespace sent on the request");
    }
    metadata.put("namespace", namespace);
  }

  static void requireName(ObjectNode object, String name) {
    ObjectNode metadata = metadata(object);
    String own = Json.text(metadata, "name");
    if (own == null || own.isEmpty()) {
      throw new ClusterException(Reason.BAD_REQUEST, "name must be provided");
    }
    if (!own.equals(name)) {
      throw RequestBodies.bad(
          "the name of the object (%s) does not match the name on the URL (%s)"
              .formatted(own, name));
    }
  }

  private static ObjectNode metadata(ObjectNode object) {
    ObjectNode metadata = Json.objectAt(object, "metadata");
    return metadata == null ? object.putObject("metadata") : metadata;
  }
}
