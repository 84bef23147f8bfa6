package dev.stint.apiserver.strategy;

import dev.stint.apiserver.patch.ManagedFields;
import dev.stint.model.Json;
import dev.stint.model.field.FieldError;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Sets and maintains {@code metadata} for every kind alike. */
public final class MetadataDefaults {
  /** Members that only the API sets. An update that omits them keeps them. */
  private static final List<String> KEPT =
      List.of("name", "namespace", "uid", "deletionGracePeriodSeconds");

  private MetadataDefaults() {}

  /** Returns the metadata, which every tree has when it is written. */
  public static ObjectNode of(ObjectNode object) {
    return Objects.requireNonNull(Json.objectAt(object, "metadata"), "no metadata");
  }

  /** Returns a copy of an object that shares everything with it except the metadata. */
  public static ObjectNode edit(ObjectNode object) {
    return Json.copyOf(object).set("metadata", metadata(object));
  }

  /** Returns a copy of the metadata of an object, without empty members. */
  public static ObjectNode metadata(ObjectNode object) {
    ObjectNode metadata = Json.object();
    ObjectNode given = Json.objectAt(object, "metadata");
    if (given != null) {
      for (Map.Entry<String, JsonNode> member : given.properties()) {
        if (isSet(member)) {
          metadata.set(member.getKey(), member.getValue());
        }
      }
    }
    return metadata;
  }

  /** Returns an object without empty members of its metadata: itself if it has none. */
  public static ObjectNode normal(ObjectNode object) {
    for (Map.Entry<String, JsonNode> member : of(object).properties()) {
      if (!isSet(member)) {
        return edit(object);
      }
    }
    return object;
  }

  private static boolean isSet(Map.Entry<String, JsonNode> member) {
    return !isEmpty(member.getValue()) || member.getKey().equals(ManagedFields.MEMBER);
  }

  /**
   * Fills in what an update omits, and restores what it cannot change. Forbidden changes are left
   * for validation to report.
   *
   * @param after changed here
   */
  public static void carry(ObjectNode before, ObjectNode after) {
    ObjectNode from = of(before);
    ObjectNode to = of(after);
    if (!from.has("namespace")) {
      to.remove("namespace");
    }
    for (String member : KEPT) {
      JsonNode is = to.get(member);
      if (is == null || isBlank(is) || SemanticEquality.areEqual(is, from.get(member))) {
        copy(member, from, to);
      }
    }
    for (String member : List.of("creationTimestamp", "deletionTimestamp")) {
      if (from.has(member)) {
        copy(member, from, to);
      }
    }
    copy("generation", from, to);
    copy("resourceVersion", from, to);
    ManagedFields.carry(from, to);
  }

  private static boolean isBlank(JsonNode value) {
    return value.isString() && value.stringValue().isEmpty();
  }

  /** Sets a member to its value in another object, or removes it. */
  public static void copy(String member, ObjectNode from, ObjectNode to) {
    JsonNode value = from.get(member);
    if (value == null) {
      to.remove(member);
    } else {
      to.set(member, value);
    }
  }

  public static boolean isDeleting(ObjectNode object) {
    return of(object).has("deletionTimestamp");
  }

  /** True if a finalizer prevents the object's removal. */
  public static boolean hasFinalizers(ObjectNode object) {
    ArrayNode finalizers = Json.arrayAt(of(object), "finalizers");
    return finalizers != null && !finalizers.isEmpty();
  }

  /**
   * Returns the grace period of a deletion under way, in seconds; null if there is no period or no
   * deletion.
   */
  public static @Nullable Long gracePeriodSeconds(ObjectNode object) {
    return Json.longInteger(of(object), "deletionGracePeriodSeconds");
  }

  /** Increments the generation, if the object has one. */
  public static void countGeneration(ObjectNode before, ObjectNode after) {
    Long generation = Json.longInteger(of(before), "generation");
    if (generation != null) {
      of(after).put("generation", generation + 1);
    }
  }

  /** Returns the faults of new finalizers on an object that is being deleted. */
  public static List<FieldError> finalizersAdded(ObjectNode before, ObjectNode after) {
    if (!isDeleting(before) || !hasFinalizers(after)) {
      return List.of();
    }
    List<String> added = added(finalizers(before), finalizers(after));
    return added.isEmpty()
        ? List.of()
        : List.of(
            new FieldError(
                "metadata.finalizers",
                FieldError.Type.FORBIDDEN,
                "cannot be added to an object that is being deleted: " + added));
  }

  /** Returns the items of a list that were not in another one, in linear time. */
  static <T> List<T> added(List<T> before, List<T> after) {
    Set<T> known = new HashSet<>(before);
    return after.stream().filter(item -> !known.contains(item)).toList();
  }

  public static List<String> finalizers(ObjectNode object) {
    List<String> finalizers = new ArrayList<>();
    ArrayNode found = Json.arrayAt(of(object), "finalizers");
    if (found != null) {
      found.forEach(finalizer -> finalizers.add(finalizer.asString("")));
    }
    return finalizers;
  }

  private static boolean isEmpty(JsonNode value) {
    return value.isNull() || (value.isContainer() && value.isEmpty());
  }
}
