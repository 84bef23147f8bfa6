package dev.stint.apiserver.http.view;

import dev.stint.apiextensions.value.ScaleFields;
import dev.stint.apiserver.patch.ManagedFields;
import dev.stint.apiserver.strategy.ApiErrors;
import dev.stint.apiserver.table.PodTemplates;
import dev.stint.apiserver.write.WriteOptions;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The scales of workloads and custom resources (Kubernetes documentation, "Scale subresource").
 *
 * @param object the view of the scaled objects themselves
 * @param scaled their kind, as shown
 */
public record ScaleView(ObjectView object, Kind scaled, ScaleFields fields) implements ObjectView {
  private static final Kind SCALE = new Kind("autoscaling", "v1", "Scale", "scales", true);

  @Override
  public Kind kind(Kind kept) {
    return SCALE;
  }

  /**
   * Returns the scale of an object. Throws {@code INTERNAL} if it does not say how many it wants.
   */
  @Override
  public ObjectNode shown(ObjectNode kept) {
    ObjectNode scaledObject = object.shown(kept);
    ObjectNode scale = fields.of(scaledObject);
    if (scale == null) {
      throw new ClusterException(
          Reason.INTERNAL,
          "Internal error occurred: the spec replicas field \"%s\" does not exist"
              .formatted(fields.paths().specReplicasPath()));
    }
    ManagedFields.ofScale(
        scaledObject.path("metadata"), fields.wantedPath(), scale.withObjectProperty("metadata"));
    FieldPath selector = FieldPath.root(kept).get("spec", "selector");
    if (object instanceof PlainView && !selector.isEmpty()) {
      scale.withObjectProperty("status").put("selector", PodTemplates.selector(selector));
    }
    return scale;
  }

  /**
   * Returns the object with the number that a scale wants. Throws {@code INVALID} for a bad one.
   */
  @Override
  public ObjectNode kept(ObjectNode shown, @Nullable ObjectNode before) {
    FieldErrors faults = new FieldErrors();
    faults.invalidIfNegative(FieldPath.root(shown).get("spec", "replicas"));
    if (!faults.list().isEmpty()) {
      String name = Json.text(Json.objectAt(shown, "metadata"), "name");
      throw ApiErrors.invalid(SCALE, name == null ? "" : name, faults.list());
    }
    return fields.with(
        ScaleFields.wanted(shown), Objects.requireNonNull(before, "a scale of nothing"));
  }

  @Override
  public ObjectNode configuration(ObjectNode shown) {
    ObjectNode configuration = Json.object();
    configuration.put("apiVersion", scaled.apiVersion());
    configuration.put("kind", scaled.kind());
    JsonNode metadata = shown.get("metadata");
    if (metadata != null) {
      configuration.set("metadata", metadata);
    }
    return shown.at("/spec/replicas").isMissingNode()
        ? configuration
        : fields.with(ScaleFields.wanted(shown), configuration);
  }

  @Override
  public WriteOptions rules(WriteOptions options, Kind kept) {
    return object.rules(options, kept);
  }

  @Override
  public void prepare(Supplier<List<KubeObject>> kept) {
    object.prepare(kept);
  }

  @Override
  public KubeObject inTables(KubeObject kept) {
    return shown(kept);
  }
}
