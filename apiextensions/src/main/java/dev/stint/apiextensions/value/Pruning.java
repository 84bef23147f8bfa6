package dev.stint.apiextensions.value;

import dev.stint.apiextensions.schema.JsonSchema;
import dev.stint.model.Json;
import dev.stint.model.document.DocumentLimits;
import dev.stint.model.field.Trail;
import dev.stint.model.schema.ObjectSchema;
import dev.stint.model.schema.Schema;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Removes the members that a schema does not name. Shares all parts that keep theirs. */
public final class Pruning {
  private static final Set<String> OF_EVERY_OBJECT = Set.of("apiVersion", "kind", "metadata");
  private static final ObjectSchema METADATA = Schema.type("ObjectMeta");

  private final @Nullable List<String> removed;
  private final Trail trail = new Trail();

  /** True if the metadata of embedded objects have no other members than all metadata. */
  private final boolean ofMetadata;

  private Pruning(@Nullable List<String> removed, boolean ofMetadata) {
    this.removed = removed;
    this.ofMetadata = ofMetadata;
  }

  /**
   * Returns the object without unknown members: the same instance if it has none. Nothing is
   * changed. The metadata of the object itself is kept as it is.
   */
  public static ObjectNode prune(ObjectNode object, JsonSchema schema) {
    return (ObjectNode) new Pruning(null, true).prune(object, schema, true);
  }

  /**
   * Does the same, and reports what is missing.
   *
   * @param removed receives the paths of the first {@link DocumentLimits#FAULTS} unknown members,
   *     which strict and warning requests name
   */
  public static ObjectNode prune(ObjectNode object, JsonSchema schema, List<String> removed) {
    return (ObjectNode) new Pruning(removed, true).prune(object, schema, true);
  }

  /**
   * Returns any value without unknown members, such as a default. The metadata of embedded objects
   * are kept as they are.
   */
  public static JsonNode pruneValue(JsonNode value, JsonSchema schema, boolean isResource) {
    return new Pruning(null, false).prune(value, schema, isResource);
  }

  private JsonNode prune(JsonNode value, @Nullable JsonSchema schema, boolean isResource) {
    return switch (value) {
      case ObjectNode object -> members(object, schema, isResource);
      case ArrayNode list -> items(list, schema);
      default -> value;
    };
  }

  private JsonNode members(ObjectNode object, @Nullable JsonSchema schema, boolean isResource) {
    boolean resource = isResource || schema != null && schema.isEmbeddedResource();
    ObjectNode changed = null;
    for (var member : object.properties()) {
      String name = member.getKey();
      JsonNode kept =
          resource && OF_EVERY_OBJECT.contains(name)
              ? ofEveryObject(name, member.getValue(), isResource)
              : member(name, member.getValue(), schema);
      if (kept != member.getValue()) {
        changed = changed == null ? Json.copyOf(object) : changed;
        if (kept == null) {
          changed.remove(name);
        } else {
          changed.set(name, kept);
        }
      }
    }
    return changed == null ? object : changed;
  }

  /**
   * Returns the value of a member that no schema names. The metadata of an embedded object have the
   * members of all metadata.
   */
  private JsonNode ofEveryObject(String name, JsonNode value, boolean isWhole) {
    if (!ofMetadata
        || isWhole
        || !name.equals("metadata")
        || !(value instanceof ObjectNode metadata)) {
      return value;
    }
    List<String> unknown =
        metadata
            .propertyStream()
            .map(Map.Entry::getKey)
            .filter(member -> METADATA.field(member) == null)
            .toList();
    if (unknown.isEmpty()) {
      return value;
    }
    trail.enter(name);
    unknown.forEach(this::report);
    trail.leave();
    return Json.copyOf(metadata).remove(unknown);
  }

  private void report(String member) {
    trail.enter(member);
    report();
    trail.leave();
  }

  /** Reports the member at hand, unless there are many already. */
  private void report() {
    if (removed != null && removed.size() < DocumentLimits.FAULTS) {
      removed.add(trail.dotted());
    }
  }

  /** Returns a member's value without unknown members; null if it is unknown itself. */
  private @Nullable JsonNode member(String name, JsonNode value, @Nullable JsonSchema schema) {
    JsonSchema known = schema == null ? null : schema.member(name);
    boolean listed =
        known != null || schema != null && schema.additional() == JsonSchema.Additional.ANY;
    if (!listed && schema != null && schema.keepsUnknown()) {
      return value;
    }
    trail.enter(name);
    if (!listed) {
      report();
    }
    JsonNode kept = listed ? prune(value, known, false) : null;
    trail.leave();
    return kept;
  }

  private JsonNode items(ArrayNode list, @Nullable JsonSchema schema) {
    JsonSchema items = schema == null ? null : schema.items();
    if (items == null && schema != null && schema.keepsUnknown()) {
      return list;
    }
    ArrayNode changed = null;
    for (int i = 0; i < list.size(); i++) {
      trail.enterIndex(i);
      JsonNode kept = prune(list.get(i), items, false);
      trail.leave();
      if (kept != list.get(i)) {
        changed = changed == null ? Json.array().addAll(list) : changed;
        changed.set(i, kept);
      }
    }
    return changed == null ? list : changed;
  }
}
