package dev.stint.apiserver.strategy;

import dev.stint.apiextensions.schema.JsonSchema;
import dev.stint.apiextensions.value.Defaulting;
import dev.stint.apiextensions.value.Pruning;
import dev.stint.apiserver.conversion.ObjectConverter;
import dev.stint.cluster.ClusterException;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The versions of a custom kind, between which objects are converted.
 *
 * @param stored the kind as which objects are stored
 * @param schemas by {@code apiVersion}, such as {@code stable.example.com/v1}; those of versions
 *     that are not served too
 * @param converter from one version to another
 */
public record CustomVersions(
    Kind stored, Map<String, JsonSchema> schemas, ObjectConverter converter) {
  public CustomVersions {
    schemas = Map.copyOf(schemas);
  }

  /** Returns the {@code apiVersion} of every version. */
  public Set<String> names() {
    return schemas.keySet();
  }

  /** Returns the schema of a version; that of the stored one if it is not known. */
  public JsonSchema schema(String apiVersion) {
    JsonSchema known = schemas.get(apiVersion);
    return known == null
        ? Objects.requireNonNull(schemas.get(stored.apiVersion()), "no stored version")
        : known;
  }

  /**
   * Returns a stored object with the defaults of the version that it was stored in: the same
   * instance if it has them all. Nothing is changed.
   */
  private ObjectNode completed(ObjectNode object) {
    JsonSchema schema = schema(object.path("apiVersion").asString(""));
    return complete(object, schema);
  }

  /**
   * Returns an object without unknown members, and with its defaults: the same instance if it has
   * neither. Its metadata stay as they are. Nothing is changed.
   */
  static ObjectNode complete(ObjectNode object, JsonSchema schema) {
    ObjectNode known = Pruning.prune(object, schema);
    ObjectNode complete = Defaulting.apply(known, schema);
    if (complete != known) {
      // Defaults may have unknown metadata for embedded objects.
      complete = Pruning.prune(complete, schema);
    }
    return withMetadata(complete, object);
  }

  /** Returns a stored object in a version, without the members that this one does not have. */
  public ObjectNode shown(ObjectNode object, String apiVersion) {
    ObjectNode complete = completed(object);
    return converted(complete, apiVersion);
  }

  /**
   * Returns an object of any version as it is stored; shares its members. If it is converted, its
   * metadata may be changed: what a webhook converted has other readers.
   */
  ObjectNode kept(ObjectNode object) {
    ObjectNode kept = converted(object, stored.apiVersion());
    if (kept == object) {
      return object;
    }
    ObjectNode copy = Json.copyOf(kept);
    copy.set("metadata", Json.copyOf(Json.objectAt(kept, "metadata")));
    return copy;
  }

  /** True if an object is stored in the version in which new ones are. */
  boolean isCurrent(ObjectNode object) {
    return isOf(object, stored.apiVersion());
  }

  /**
   * Converts stored objects ahead, a few calls for all of them, so that the next reader finds them
   * in a version.
   *
   * @throws ClusterException {@code INTERNAL} if they cannot be converted
   */
  public void prepare(List<ObjectNode> objects, String apiVersion) {
    var _ =
        converter.convert(
            objects.stream()
                .map(this::completed)
                .filter(object -> !isOf(object, apiVersion))
                .toList(),
            apiVersion);
  }

  private ObjectNode converted(ObjectNode object, String apiVersion) {
    if (isOf(object, apiVersion)) {
      return object;
    }
    ObjectNode converted = converter.convert(List.of(object), apiVersion).getFirst();
    return withMetadata(Pruning.prune(converted, schema(apiVersion)), converted);
  }

  private static boolean isOf(ObjectNode object, String apiVersion) {
    return object.path("apiVersion").asString("").equals(apiVersion);
  }

  /** Returns an object with the metadata of another, which no schema completes. */
  private static ObjectNode withMetadata(ObjectNode object, ObjectNode from) {
    JsonNode metadata = from.get("metadata");
    if (object == from || object.get("metadata") == metadata) {
      return object;
    }
    ObjectNode copy = Json.copyOf(object);
    copy.set("metadata", metadata);
    return copy;
  }
}
