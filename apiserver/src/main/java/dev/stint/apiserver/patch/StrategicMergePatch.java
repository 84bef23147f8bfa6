package dev.stint.apiserver.patch;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Json;
import dev.stint.model.schema.ObjectSchema;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Strategic merge patch: a merge patch that identifies the items of lists by the keys of the
 * schema, and takes directives (Kubernetes documentation, "Strategic merge patch").
 *
 * <p>The directives are {@code $patch: replace | delete} in an object or an item, {@code
 * $retainKeys}, {@code $deleteFromPrimitiveList/LIST} and {@code $setElementOrder/LIST}. As in
 * Kubernetes, directives in an item that is new to its list have no effect: they stay in it, and
 * decoding reports them as unknown fields.
 */
public final class StrategicMergePatch {
  private static final String PATCH = "$patch";
  private static final String RETAIN_KEYS = "$retainKeys";
  private static final String DELETE_FROM = "$deleteFromPrimitiveList/";
  private static final String ORDER = "$setElementOrder/";

  private StrategicMergePatch() {}

  /**
   * Returns the target with the patch applied. Neither is changed; untouched parts are shared
   * between the target and the result.
   *
   * @param type of the target; null for a definition of custom resources, whose lists are replaced
   *     but for those of its metadata
   * @throws ClusterException {@code BAD_REQUEST} if the patch has an invalid directive, or an item
   *     without its key
   */
  public static ObjectNode apply(ObjectNode target, ObjectNode patch, @Nullable ObjectSchema type) {
    return merge(target, patch, type == null ? CustomNode.UNKNOWN : SchemaNode.of(type));
  }

  private static ObjectNode merge(ObjectNode target, ObjectNode patch, SchemaNode shape) {
    JsonNode directive = patch.get(PATCH);
    if (directive != null) {
      return replaces(directive) ? withoutMarker(patch) : Json.object();
    }
    ObjectNode merged = DocumentValues.shallowCopy(target);
    retainKeys(merged, patch);
    patch
        .properties()
        .forEach(change -> {
          if (!change.getKey().startsWith("$")) {
            member(merged, change.getKey(), change.getValue(), patch, shape);
          }
        });
    listDirectives(merged, patch, shape);
    return merged;
  }

  private static void member(
      ObjectNode merged, String name, JsonNode change, ObjectNode patch, SchemaNode shape) {
    JsonNode old = merged.get(name);
    if (change.isNull()) {
      merged.remove(name);
    } else if (change instanceof ObjectNode changes && old instanceof ObjectNode object) {
      merged.set(name, merge(object, changes, shape.member(name)));
    } else if (change instanceof ArrayNode changes
        && (old instanceof ArrayNode || patch.has(ORDER + name))) {
      ArrayNode list = old instanceof ArrayNode found ? found : Json.array();
      ArrayNode additions = old == null ? itemsWithoutDirectives(changes) : changes;
      merged.set(name, list(list, additions, patch.get(ORDER + name), shape.member(name), name));
    } else {
      JsonNode added = withoutDirectives(change);
      if (added == null) {
        merged.remove(name);
      } else {
        merged.set(name, added);
      }
    }
  }

  private static ArrayNode list(
      ArrayNode old, ArrayNode changes, @Nullable JsonNode order, SchemaNode shape, String name) {
    String key = shape.patchKey();
    if (order != null && old.isEmpty() && changes.isEmpty()) {
      throw refused(ORDER + name + " orders a list that has no items");
    }
    if (key == null) {
      return changes;
    }
    if (key.isEmpty()) {
      return MergedList.ofValues(old, changes, order(order, name), name);
    }
    return replaces(changes)
        ? replacedItems(changes)
        : MergedList.ofObjects(
            old,
            changes,
            order(order, name),
            key,
            name,
            (item, change) -> merge(item, change, shape.item()));
  }

  /** Applies deletions of values, and directives about lists that the patch does not contain. */
  private static void listDirectives(ObjectNode merged, ObjectNode patch, SchemaNode shape) {
    patch
        .properties()
        .forEach(directive -> {
          String text = directive.getKey();
          if (text.startsWith(DELETE_FROM)) {
            delete(merged, text.substring(DELETE_FROM.length()), directive.getValue());
          } else if (text.startsWith(ORDER)) {
            String name = text.substring(ORDER.length());
            if (!patch.has(name) && merged.get(name) instanceof ArrayNode list) {
              merged.set(
                  name, list(list, Json.array(), directive.getValue(), shape.member(name), name));
            }
          } else if (text.startsWith("$") && !text.equals(PATCH) && !text.equals(RETAIN_KEYS)) {
            throw refused("unknown directive " + text);
          }
        });
  }

  private static void delete(ObjectNode merged, String name, JsonNode values) {
    if (!(values instanceof ArrayNode unwanted)) {
      throw refused(DELETE_FROM + name + " must be a list");
    }
    if (merged.get(name) instanceof ArrayNode list) {
      Set<String> gone = new HashSet<>();
      unwanted.forEach(value -> gone.add(value.toString()));
      ArrayNode left = merged.putArray(name);
      list.forEach(value -> {
        if (!gone.contains(value.toString())) {
          left.add(value);
        }
      });
    }
  }

  private static void retainKeys(ObjectNode merged, ObjectNode patch) {
    JsonNode given = patch.get(RETAIN_KEYS);
    if (given == null) {
      return;
    }
    Set<String> retained = new HashSet<>();
    for (JsonNode name : order(given, RETAIN_KEYS)) {
      retained.add(name.asString(""));
    }
    patch
        .properties()
        .forEach(member -> {
          boolean kept = member.getKey().startsWith("$") || retained.contains(member.getKey());
          if (!kept && !member.getValue().isNull()) {
            throw refused(RETAIN_KEYS + " must list " + member.getKey() + ", which the patch sets");
          }
        });
    merged.retain(retained);
  }

  /** True if the value of {@code $patch} is "replace", false if it is "delete". */
  private static boolean replaces(JsonNode directive) {
    return switch (directive.asString("")) {
      case "replace" -> true;
      case "delete" -> false;
      default -> throw refused("$patch must be delete or replace");
    };
  }

  /** True if the item has the directive to delete the item with its key. */
  static boolean deletes(JsonNode item) {
    JsonNode directive = item.get(PATCH);
    return directive != null && !replaces(directive);
  }

  /** True if the list holds the directive to replace all old items by its other items. */
  private static boolean replaces(ArrayNode changes) {
    boolean found = false;
    for (JsonNode item : changes) {
      JsonNode directive = item.get(PATCH);
      found |= directive != null && replaces(directive);
    }
    return found;
  }

  private static ArrayNode replacedItems(ArrayNode changes) {
    ArrayNode items = Json.array();
    changes.forEach(item -> {
      if (!item.has(PATCH)) {
        items.add(item);
      }
    });
    return items;
  }

  private static ObjectNode withoutMarker(ObjectNode patch) {
    ObjectNode copy = DocumentValues.shallowCopy(patch);
    copy.remove(PATCH);
    return copy;
  }

  /** Returns the result of a patch on an absent value; null for an object with only a directive. */
  private static @Nullable JsonNode withoutDirectives(JsonNode patch) {
    return switch (patch) {
      case ObjectNode object -> object.has(PATCH) ? null : membersWithoutDirectives(object);
      case ArrayNode list -> itemsWithoutDirectives(list);
      default -> patch;
    };
  }

  private static ArrayNode itemsWithoutDirectives(ArrayNode patch) {
    ArrayNode items = Json.array();
    patch.forEach(item -> {
      JsonNode kept = withoutDirectives(item);
      if (kept != null) {
        items.add(kept);
      }
    });
    return items;
  }

  private static ObjectNode membersWithoutDirectives(ObjectNode patch) {
    ObjectNode members = Json.object();
    patch
        .properties()
        .forEach(member -> {
          JsonNode kept = member.getValue().isNull() ? null : withoutDirectives(member.getValue());
          if (kept != null) {
            members.set(member.getKey(), kept);
          }
        });
    return members;
  }

  private static ArrayNode order(@Nullable JsonNode given, String name) {
    if (given == null) {
      return Json.array();
    }
    if (given instanceof ArrayNode list) {
      return list;
    }
    throw refused((name.startsWith("$") ? name : ORDER + name) + " must be a list");
  }

  static ClusterException refused(String why) {
    return new ClusterException(Reason.BAD_REQUEST, "the strategic merge patch: " + why);
  }
}
