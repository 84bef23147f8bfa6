package dev.stint.apiextensions.value;

import dev.stint.apiextensions.schema.SimplePath;
import dev.stint.model.Json;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The fields of custom resources from which their scale is made, and to which it is written
 * (Kubernetes documentation, "Scale subresource").
 *
 * @param paths as the definition has them
 */
public record ScaleFields(ScalePaths paths) {
  /** The fields of Kubernetes' own workloads, whose selector is no text. */
  public static final ScaleFields OF_WORKLOADS =
      new ScaleFields(new ScalePaths(".spec.replicas", ".status.replicas", ""));

  private static final List<String> METADATA =
      List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp");

  /** Returns the scale of an object; null if the object does not say how many it wants. */
  public @Nullable ObjectNode of(ObjectNode object) {
    JsonNode wanted = find(object, paths.specReplicasPath());
    if (wanted == null || !wanted.isIntegralNumber()) {
      return null;
    }
    ObjectNode scale = Json.object().put("apiVersion", "autoscaling/v1").put("kind", "Scale");
    ObjectNode metadata = scale.putObject("metadata");
    for (String name : METADATA) {
      JsonNode value = object.path("metadata").get(name);
      if (value != null) {
        metadata.set(name, value);
      }
    }
    scale.putObject("spec").set("replicas", wanted);
    ObjectNode status = scale.putObject("status");
    JsonNode is = find(object, paths.statusReplicasPath());
    status.put("replicas", is == null ? 0 : is.asInt(0));
    JsonNode selector =
        paths.labelSelectorPath().isEmpty() ? null : find(object, paths.labelSelectorPath());
    if (selector != null && selector.isString()) {
      status.set("selector", selector);
    }
    return scale;
  }

  /** Returns the names on the way to the number that is wanted. */
  public List<String> wantedPath() {
    return names(paths.specReplicasPath());
  }

  /** Returns the number that a scale wants; 0 if it names none. */
  public static int wanted(ObjectNode scale) {
    return scale.at("/spec/replicas").asInt(0);
  }

  /** Returns an object that wants another number; shares all other members. */
  public ObjectNode with(int wanted, ObjectNode object) {
    ObjectNode copy = Json.copyOf(object);
    List<String> names = wantedPath();
    ObjectNode at = copy;
    for (String name : names.subList(0, names.size() - 1)) {
      ObjectNode below = Json.copyOf(Json.objectAt(at, name));
      at.set(name, below);
      at = below;
    }
    at.put(names.getLast(), wanted);
    return copy;
  }

  private static @Nullable JsonNode find(ObjectNode object, String path) {
    JsonNode at = object;
    for (String name : names(path)) {
      at = at == null ? null : at.get(name);
    }
    return at;
  }

  private static List<String> names(String path) {
    return Objects.requireNonNull(SimplePath.parse(path), "a checked path").names();
  }
}
