package dev.stint.apiserver.patch;

import dev.stint.model.Json;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Determines the fields of documents, and the differences between them. */
final class FieldDifference {
  /** Metadata that nobody owns: the API itself sets it, or it identifies the object. */
  private static final List<String> NOBODYS =
      List.of(
          "name",
          "namespace",
          "uid",
          "resourceVersion",
          "generation",
          "creationTimestamp",
          "deletionTimestamp",
          "deletionGracePeriodSeconds",
          "selfLink",
          "managedFields");

  private FieldDifference() {}

  /**
   * The difference between two documents.
   *
   * @param changed fields that were added or have another value
   * @param removed fields that were removed
   */
  record Difference(ObjectNode changed, ObjectNode removed) {
    boolean isEmpty() {
      return changed.isEmpty() && removed.isEmpty();
    }

    /** Returns the part that a write through a subresource changes; "" for the object itself. */
    Difference through(String subresource, SchemaNode shape) {
      return new Difference(
          written(changed, subresource, shape), written(removed, subresource, shape));
    }

    private static ObjectNode written(ObjectNode fields, String subresource, SchemaNode shape) {
      List<String> others =
          fields
              .propertyStream()
              .map(Map.Entry::getKey)
              .filter(step -> !shape.isWrittenThrough(subresource, step.substring(2)))
              .toList();
      if (others.isEmpty()) {
        return fields;
      }
      ObjectNode left = DocumentValues.shallowCopy(fields);
      left.remove(others);
      return left;
    }
  }

  /**
   * Returns the difference. Its cost is proportional to what differs; shared parts cost nothing.
   */
  static Difference between(ObjectNode before, ObjectNode after, SchemaNode shape) {
    Difference found = new Difference(Json.object(), Json.object());
    members(before, after, shape, found);
    return new Difference(owned(found.changed), owned(found.removed));
  }

  /** Returns the fields that a configuration lists, which its applier owns. */
  static ObjectNode listed(ObjectNode configuration, SchemaNode shape) {
    ObjectNode fields = Json.object();
    listMembers(configuration, shape, fields);
    return owned(fields);
  }

  /** Returns the set without the fields that nobody owns. */
  private static ObjectNode owned(ObjectNode fields) {
    fields.remove(List.of("f:apiVersion", "f:kind"));
    ObjectNode metadata = Json.objectAt(fields, "f:metadata");
    if (metadata != null) {
      NOBODYS.forEach(name -> metadata.remove(FieldPaths.member(name)));
      metadata.remove(FieldSets.SELF);
      if (metadata.isEmpty()) {
        fields.remove("f:metadata");
      }
    }
    return FieldSets.sorted(fields);
  }

  private static void members(
      ObjectNode before, ObjectNode after, SchemaNode shape, Difference found) {
    after
        .properties()
        .forEach(member -> {
          String name = member.getKey();
          JsonNode old = before.get(name);
          if (old != member.getValue()) {
            pair(FieldPaths.member(name), shape.member(name), old, member.getValue(), found);
          }
        });
    before
        .properties()
        .forEach(member -> {
          String name = member.getKey();
          if (!after.has(name)) {
            pair(FieldPaths.member(name), shape.member(name), member.getValue(), null, found);
          }
        });
  }

  private static void items(ArrayNode before, ArrayNode after, SchemaNode shape, Difference found) {
    Map<String, JsonNode> old = FieldPaths.items(before, shape);
    Map<String, JsonNode> now = FieldPaths.items(after, shape);
    now.forEach((step, item) -> pair(step, shape.item(), old.get(step), item, found));
    old.forEach((step, item) -> {
      if (!now.containsKey(step)) {
        pair(step, shape.item(), item, null, found);
      }
    });
  }

  private static void pair(
      String step,
      SchemaNode shape,
      @Nullable JsonNode old,
      @Nullable JsonNode now,
      Difference found) {
    JsonNode before = there(old, shape);
    JsonNode after = there(now, shape);
    if (before == after) {
      return;
    }
    if (before == null || after == null) {
      if (after != null) {
        found.changed.set(step, all(after, shape));
      } else if (before != null) {
        found.removed.set(step, all(before, shape));
      }
    } else if (shape.parts(before) != SchemaNode.Parts.ONE
        && shape.parts(before) == shape.parts(after)) {
      Difference below = new Difference(Json.object(), Json.object());
      parts(before, after, shape, below);
      setUnlessEmpty(found.changed, step, below.changed);
      setUnlessEmpty(found.removed, step, below.removed);
    } else if (!DocumentValues.same(before, after)) {
      found.changed.set(step, all(after, shape));
    }
  }

  private static void parts(JsonNode before, JsonNode after, SchemaNode shape, Difference found) {
    if (before instanceof ObjectNode old && after instanceof ObjectNode now) {
      members(old, now, shape, found);
    } else if (before instanceof ArrayNode old && after instanceof ArrayNode now) {
      items(old, now, shape, found);
    }
  }

  /** Returns the value; an empty value if it is absent and its field is always present. */
  private static @Nullable JsonNode there(@Nullable JsonNode value, SchemaNode shape) {
    JsonNode present = DocumentValues.present(value);
    return present == null && shape.isAlwaysThere() ? shape.empty() : present;
  }

  private static void setUnlessEmpty(ObjectNode fields, String step, ObjectNode below) {
    if (!below.isEmpty()) {
      fields.set(step, below);
    }
  }

  /** Returns a value's field, and all below it. */
  private static ObjectNode all(JsonNode value, SchemaNode shape) {
    ObjectNode fields = Json.object();
    if (shape.parts(value) == SchemaNode.Parts.ONE || value.isEmpty()) {
      return fields;
    }
    fields.putObject(FieldSets.SELF);
    if (value instanceof ObjectNode object) {
      object
          .properties()
          .forEach(member -> {
            if (!member.getValue().isNull()) {
              String name = member.getKey();
              fields.set(FieldPaths.member(name), all(member.getValue(), shape.member(name)));
            }
          });
    } else if (value instanceof ArrayNode list) {
      FieldPaths.items(list, shape)
          .forEach((step, item) -> fields.set(step, all(item, shape.item())));
    }
    return fields.size() == 1 ? Json.object() : fields;
  }

  /**
   * Adds the fields of an object. A field that its type declares is listed by the fields below it,
   * if there are any; members of a free map, and items, are also listed themselves. An empty list
   * adds nothing, unless it has one owner.
   */
  private static void listMembers(ObjectNode object, SchemaNode shape, ObjectNode fields) {
    object
        .properties()
        .forEach(member -> {
          JsonNode value = member.getValue();
          SchemaNode shapeOfValue = shape.member(member.getKey());
          ObjectNode below = listBelow(value, shapeOfValue);
          if (!shape.declares(member.getKey()) && !below.isEmpty()) {
            below.putObject(FieldSets.SELF);
          }
          if (shapeOfValue.parts(value) != SchemaNode.Parts.ITEMS || !value.isEmpty()) {
            fields.set(FieldPaths.member(member.getKey()), below);
          }
        });
  }

  private static ObjectNode listBelow(JsonNode value, SchemaNode shape) {
    ObjectNode fields = Json.object();
    if (shape.parts(value) == SchemaNode.Parts.ONE) {
      return fields;
    }
    if (value instanceof ObjectNode object) {
      listMembers(object, shape, fields);
    } else if (value instanceof ArrayNode list) {
      FieldPaths.items(list, shape)
          .forEach((step, item) -> {
            ObjectNode below = listBelow(item, shape.item());
            if (!below.isEmpty()) {
              below.putObject(FieldSets.SELF);
            }
            fields.set(step, below);
          });
    }
    return fields;
  }
}
