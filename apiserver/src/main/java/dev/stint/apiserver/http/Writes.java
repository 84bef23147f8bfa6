package dev.stint.apiserver.http;

import dev.stint.apiserver.ApiServer;
import dev.stint.apiserver.ObjectPart;
import dev.stint.apiserver.Preconditions;
import dev.stint.apiserver.Registry;
import dev.stint.apiserver.WriteOptions;
import dev.stint.apiserver.patch.ManagedFields;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.io.IOException;
import java.time.InstantSource;
import tools.jackson.databind.node.ObjectNode;

/** Creates and replaces. */
final class Writes {
  private final ApiServer api;
  private final InstantSource clock;

  Writes(ApiServer api, InstantSource clock) {
    this.api = api;
    this.clock = clock;
  }

  /**
   * @param namespace that the path names; "" for none
   */
  Reply create(Call call, Kind kind, String namespace) throws IOException {
    Rendering rendering = Rendering.of(call, clock);
    WriteParameters parameters = WriteParameters.of(call, "CreateOptions");
    ObjectNode object = object(call, kind, parameters);
    inNamespace(object, namespace);
    Owners.dropRepeated(object, call.warnings());
    View view = View.of(call);
    WriteOptions options =
        view.rules(parameters.options(), kind).by(Managers.updating(call, view.kind(kind), ""));
    KubeObject created = Waiting.on(api.registry().create(KubeObject.of(object), options));
    return rendering.one(201, created);
  }

  Reply replace(Call call, ObjectRef ref, String subresource) throws IOException {
    Rendering rendering = Rendering.of(call, clock);
    WriteParameters parameters = WriteParameters.of(call, "UpdateOptions");
    ObjectNode object = object(call, ref.kind(), parameters);
    inNamespace(object, ref.namespace());
    named(object, ref.name());
    Owners.dropRepeated(object, call.warnings());
    View view = View.of(call);
    WriteOptions options =
        view.rules(parameters.options(), ref.kind())
            .by(Managers.updating(call, view.kind(ref.kind()), subresource));
    ObjectPart part = ObjectPart.of(subresource);
    if (part == ObjectPart.MAIN) {
      Registry.Applied replaced = Waiting.on(api.registry().replace(ref, object, options));
      return rendering.one(replaced.created() ? 201 : 200, replaced.object());
    }
    KubeObject written =
        Waiting.on(
            api.registry().update(part, ref, Preconditions.of(object), _ -> object, options));
    return rendering.one(200, written);
  }

  private static ObjectNode object(Call call, Kind kind, WriteParameters parameters)
      throws IOException {
    ObjectNode object = Bodies.object(call, kind, parameters.validation());
    ManagedFields.keepSound(object, View.of(call).kind(kind).apiVersion());
    return object;
  }

  /** An object goes where the path says, and must not say otherwise. */
  static void inNamespace(ObjectNode object, String namespace) {
    ObjectNode metadata = metadata(object);
    String own = Json.text(metadata, "namespace");
    if (namespace.isEmpty()) {
      return;
    }
    if (own != null && !own.isEmpty() && !own.equals(namespace)) {
      throw Bodies.bad(
          "the namespace of the provided object does not match the namespace sent on the request");
    }
    metadata.put("namespace", namespace);
  }

  static void named(ObjectNode object, String name) {
    ObjectNode metadata = metadata(object);
    String own = Json.text(metadata, "name");
    if (own == null || own.isEmpty()) {
      throw new ClusterException(Reason.BAD_REQUEST, "name must be provided");
    }
    if (!own.equals(name)) {
      throw Bodies.bad(
          "the name of the object (%s) does not match the name on the URL (%s)"
              .formatted(own, name));
    }
  }

  private static ObjectNode metadata(ObjectNode object) {
    ObjectNode metadata = Json.objectAt(object, "metadata");
    return metadata == null ? object.putObject("metadata") : metadata;
  }
}
