package dev.stint.apiserver.patch;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Json;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** An applied configuration: selects the parts that count, and merges them into an object. */
final class AppliedConfiguration {
  /** The metadata that says which object is meant. */
  private static final List<String> IDENTITY =
      List.of("name", "namespace", "uid", "resourceVersion");

  /** The subresource that is a view of the object, and no member of it. */
  private static final String SCALE = "scale";

  private AppliedConfiguration() {}

  /**
   * Returns the parts of an applied document that count: no status if the kind writes that through
   * its subresource, and no spec through that subresource.
   *
   * @throws ClusterException {@code BAD_REQUEST} if it contains managed fields, or items that
   *     cannot be identified
   */
  static ObjectNode of(ObjectNode document, String subresource, SchemaNode shape) {
    ObjectNode wanted = DocumentValues.shallowCopy(document);
    ObjectNode metadata =
        wanted.get("metadata") instanceof ObjectNode given
            ? DocumentValues.shallowCopy(given)
            : Json.object();
    wanted.set("metadata", metadata);
    if (DocumentValues.present(metadata.get(ManagedFields.MEMBER)) != null) {
      throw refused("metadata.managedFields must be nil");
    }
    metadata.remove(ManagedFields.MEMBER);
    if (!subresource.isEmpty() && !subresource.equals(SCALE)) {
      wanted.retain("apiVersion", "kind", "metadata", subresource);
    } else if (shape.hasStatus()) {
      wanted.remove("status");
    }
    if (!shape.isWrittenThrough(subresource, "metadata")) {
      metadata.retain(IDENTITY);
    }
    check(wanted, shape, "");
    return wanted;
  }

  private static void check(JsonNode value, SchemaNode shape, String path) {
    switch (shape.parts(value)) {
      case MEMBERS ->
          value
              .properties()
              .forEach(member -> {
                String name = member.getKey();
                check(member.getValue(), shape.member(name), path + "." + name);
              });
      case ITEMS -> checkItems((ArrayNode) value, shape, path);
      case ONE -> {}
    }
  }

  private static void checkItems(ArrayNode list, SchemaNode shape, String path) {
    Map<String, JsonNode> items = FieldPaths.items(list, shape);
    items.forEach((step, item) -> {
      if (!shape.keys().isEmpty() && FieldPaths.keys(step).isEmpty()) {
        throw refused(
            "%s: every item must have %s".formatted(path, String.join(" and ", shape.keys())));
      }
      if (item.isArray()) {
        throw refused("%s: duplicate entries for key %s".formatted(path, FieldPaths.shown(step)));
      }
      check(item, shape.item(), path + FieldPaths.shown(step));
    });
  }

  private static ClusterException refused(String why) {
    return new ClusterException(Reason.BAD_REQUEST, why);
  }

  /**
   * Returns the live object with all that the configuration lists; the same instance if nothing
   * changes.
   */
  static ObjectNode merged(ObjectNode live, ObjectNode wanted, SchemaNode shape) {
    ObjectNode merged = DocumentValues.shallowCopy(live);
    boolean changed = false;
    for (var member : wanted.properties()) {
      String name = member.getKey();
      JsonNode old = DocumentValues.present(live.get(name));
      JsonNode value =
          old == null ? member.getValue() : merged(old, member.getValue(), shape.member(name));
      changed |= value != old;
      merged.set(name, value);
    }
    return changed ? merged : live;
  }

  private static JsonNode merged(JsonNode live, JsonNode wanted, SchemaNode shape) {
    SchemaNode.Parts parts = shape.parts(live);
    if (wanted.isNull()) {
      return parts == SchemaNode.Parts.ONE ? wanted : live;
    }
    if (parts == SchemaNode.Parts.MEMBERS && wanted instanceof ObjectNode object) {
      return merged((ObjectNode) live, object, shape);
    }
    if (parts == SchemaNode.Parts.ITEMS && wanted instanceof ArrayNode list) {
      ArrayNode merged = mergedItems((ArrayNode) live, list, shape);
      return DocumentValues.same(merged, live) ? live : merged;
    }
    return DocumentValues.same(live, wanted) ? live : wanted;
  }

  /**
   * Merges two lists: items in both follow the order of the configuration, the others keep their
   * places among them.
   */
  private static ArrayNode mergedItems(ArrayNode live, ArrayNode wanted, SchemaNode shape) {
    Map<String, JsonNode> old = FieldPaths.items(live, shape);
    Map<String, JsonNode> now = FieldPaths.items(wanted, shape);
    Iterator<Map.Entry<String, JsonNode>> next = now.entrySet().iterator();
    ArrayNode merged = Json.array();
    old.forEach((step, item) -> {
      if (!now.containsKey(step)) {
        addItem(merged, item);
      } else {
        boolean placed = false;
        while (!placed && next.hasNext()) {
          placed = mergeNext(merged, next.next(), old, shape.item());
        }
      }
    });
    next.forEachRemaining(entry -> mergeNext(merged, entry, old, shape.item()));
    return merged;
  }

  /** Adds an item of the configuration; returns true if the live list had it. */
  private static boolean mergeNext(
      ArrayNode merged,
      Map.Entry<String, JsonNode> entry,
      Map<String, JsonNode> old,
      SchemaNode item) {
    JsonNode was = old.get(entry.getKey());
    merged.add(was == null ? entry.getValue() : merged(was, entry.getValue(), item));
    return was != null;
  }

  /** Adds an item, or all items that share its keys. */
  private static void addItem(ArrayNode list, JsonNode item) {
    if (item instanceof ArrayNode repeated) {
      list.addAll(repeated);
    } else {
      list.add(item);
    }
  }

  /**
   * Returns the object without the fields that its applier listed the last time and nobody owns
   * now. Removing a field removes everything in it, defaults included, except in the metadata,
   * which identifies the object.
   *
   * @param last the fields that the applier owned before
   * @param owned the fields that anybody owns now
   */
  static ObjectNode pruned(ObjectNode object, ObjectNode last, ObjectNode owned, SchemaNode shape) {
    ObjectNode kept = owned.has("f:metadata") ? owned : DocumentValues.shallowCopy(owned);
    if (kept != owned) {
      kept.putObject("f:metadata");
    }
    return prunedMembers(object, last, kept, shape, List.of());
  }

  private static JsonNode pruned(
      JsonNode value, ObjectNode last, ObjectNode owned, SchemaNode shape, List<String> keys) {
    return switch (shape.parts(value)) {
      case MEMBERS -> prunedMembers((ObjectNode) value, last, owned, shape, keys);
      case ITEMS -> prunedItems((ArrayNode) value, last, owned, shape);
      case ONE -> value;
    };
  }

  /**
   * Returns an object without the members that are pruned.
   *
   * @param keys members that stay, as they identify an item
   */
  private static ObjectNode prunedMembers(
      ObjectNode object, ObjectNode last, ObjectNode owned, SchemaNode shape, List<String> keys) {
    ObjectNode pruned = DocumentValues.shallowCopy(object);
    boolean changed = false;
    for (var step : last.properties()) {
      if (!step.getKey().startsWith("f:")) {
        continue;
      }
      String name = step.getKey().substring(2);
      JsonNode value = object.get(name);
      if (value == null || keys.contains(name)) {
        continue;
      }
      ObjectNode owners = Json.objectAt(owned, step.getKey());
      if (owners == null) {
        pruned.remove(name);
        changed = true;
      } else {
        ObjectNode below = (ObjectNode) step.getValue();
        JsonNode left = pruned(value, below, owners, shape.member(name), List.of());
        changed |= left != value;
        pruned.set(name, left);
      }
    }
    return changed ? pruned : object;
  }

  private static ArrayNode prunedItems(
      ArrayNode list, ObjectNode last, ObjectNode owned, SchemaNode shape) {
    ArrayNode pruned = Json.array();
    FieldPaths.items(list, shape)
        .forEach((step, item) -> {
          ObjectNode below = Json.objectAt(last, step);
          ObjectNode owners = Json.objectAt(owned, step);
          if (below == null) {
            addItem(pruned, item);
          } else if (owners != null) {
            addItem(pruned, pruned(item, below, owners, shape.item(), FieldPaths.keys(step)));
          }
        });
    return DocumentValues.same(pruned, list) ? list : pruned;
  }
}
