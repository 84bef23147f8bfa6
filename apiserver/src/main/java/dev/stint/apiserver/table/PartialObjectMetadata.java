package dev.stint.apiserver.table;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.util.List;
import java.util.Objects;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Renders objects without spec and status: the answer to {@code as=PartialObjectMetadata} and
 * {@code as=PartialObjectMetadataList}.
 */
public final class PartialObjectMetadata {
  public static final String API_VERSION = "meta.k8s.io/v1";
  public static final String LIST_KIND = "PartialObjectMetadataList";

  private PartialObjectMetadata() {}

  /** Returns the object's metadata. The tree is shared with the object and not to be changed. */
  public static ObjectNode of(KubeObject object) {
    ObjectNode partial = Json.object();
    partial.put("kind", "PartialObjectMetadata");
    partial.put("apiVersion", API_VERSION);
    partial.set("metadata", Objects.requireNonNullElseGet(object.metadata(), Json::object));
    return partial;
  }

  /**
   * Returns the metadata of a list's objects.
   *
   * @param metadata the list's own: {@code resourceVersion}, {@code continue}, {@code
   *     remainingItemCount}
   */
  public static ObjectNode list(List<KubeObject> objects, ObjectNode metadata) {
    ObjectNode list = Json.object();
    list.put("kind", LIST_KIND);
    list.put("apiVersion", API_VERSION);
    list.set("metadata", metadata);
    ArrayNode items = list.putArray("items");
    objects.forEach(object -> items.add(of(object)));
    return list;
  }
}
