package dev.stint.apiserver.patch;

import dev.stint.model.Json;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Immutable sets of fields in the form of {@code fieldsV1} in {@code metadata.managedFields}.
 *
 * <p>A member of the tree is a step: {@code f:NAME} a member of an object, {@code k:{...}} the item
 * with these keys, {@code v:VALUE} the item with that value. A field is in the set if its tree is
 * empty or has the member {@code .}; the root itself never is.
 */
final class FieldSets {
  /** Marks a field with fields below it as a member of the set itself. */
  static final String SELF = ".";

  private FieldSets() {}

  static ObjectNode none() {
    return Json.object();
  }

  /** Returns the union of two sets. */
  static ObjectNode union(ObjectNode one, ObjectNode other) {
    if (one.isEmpty() || other.isEmpty()) {
      return one.isEmpty() ? other : one;
    }
    TreeMap<String, JsonNode> all = new TreeMap<>();
    one.properties().forEach(step -> all.put(step.getKey(), step.getValue()));
    other
        .properties()
        .forEach(step ->
            all.merge(
                step.getKey(), step.getValue(), (a, b) -> joined((ObjectNode) a, (ObjectNode) b)));
    return object(all);
  }

  /** Returns the union of many sets; each field is touched a logarithmic number of times. */
  static ObjectNode union(List<ObjectNode> sets) {
    int half = sets.size() / 2;
    return switch (sets.size()) {
      case 0 -> none();
      case 1 -> sets.getFirst();
      default -> union(union(sets.subList(0, half)), union(sets.subList(half, sets.size())));
    };
  }

  private static ObjectNode joined(ObjectNode one, ObjectNode other) {
    ObjectNode below = union(one, other);
    boolean self = isSelf(one) || isSelf(other);
    return !self || isSelf(below) ? below : union(self(), below);
  }

  private static ObjectNode self() {
    ObjectNode self = Json.object();
    self.putObject(SELF);
    return self;
  }

  /** Returns the fields of the first set that are not in the second. */
  static ObjectNode minus(ObjectNode one, ObjectNode other) {
    ObjectNode left = Json.object();
    boolean all = true;
    for (var step : one.properties()) {
      ObjectNode has = (ObjectNode) step.getValue();
      ObjectNode gone = Json.objectAt(other, step.getKey());
      ObjectNode rest = gone == null ? has : without(has, gone);
      all &= rest == has;
      if (rest != null) {
        left.set(step.getKey(), rest);
      }
    }
    return all ? one : left;
  }

  /** Returns a field and those below it, less others; null if nothing is left. */
  private static @Nullable ObjectNode without(ObjectNode has, ObjectNode gone) {
    boolean self = isSelf(has) && !isSelf(gone);
    ObjectNode below = minus(has, gone);
    if (has == below && self == isSelf(has)) {
      return has;
    }
    ObjectNode bare = Json.object();
    below.properties().stream()
        .filter(step -> !step.getKey().equals(SELF))
        .forEach(step -> bare.set(step.getKey(), step.getValue()));
    if (bare.isEmpty()) {
      return self ? bare : null;
    }
    return self ? joined(self(), bare) : bare;
  }

  /** Returns the intersection of two sets. */
  static ObjectNode common(ObjectNode one, ObjectNode other) {
    return minus(one, minus(one, other));
  }

  /** Returns the same set with its steps in the order of their texts, in which sets are shown. */
  static ObjectNode sorted(ObjectNode set) {
    TreeMap<String, JsonNode> steps = new TreeMap<>();
    set.properties()
        .forEach(step -> {
          ObjectNode below = (ObjectNode) step.getValue();
          steps.put(step.getKey(), below.isEmpty() ? below : sorted(below));
        });
    return object(steps);
  }

  /** True if a field, given the tree below it, is in the set. */
  static boolean isSelf(ObjectNode field) {
    return field.isEmpty() || field.has(SELF);
  }

  /** True if a set has the member at a path of names. */
  static boolean has(ObjectNode set, List<String> path) {
    ObjectNode at = set;
    for (String name : path) {
      at = Json.objectAt(at, FieldPaths.member(name));
      if (at == null) {
        return false;
      }
    }
    return isSelf(at);
  }

  /** True if the tree has the form of a set. */
  static boolean isSet(JsonNode tree) {
    if (!tree.isObject()) {
      return false;
    }
    for (var step : tree.properties()) {
      boolean known =
          step.getKey().equals(SELF)
              ? step.getValue().isObject() && step.getValue().isEmpty()
              : FieldPaths.isStep(step.getKey()) && isSet(step.getValue());
      if (!known) {
        return false;
      }
    }
    return true;
  }

  private static ObjectNode object(TreeMap<String, JsonNode> members) {
    ObjectNode object = Json.object();
    object.setAll(members);
    return object;
  }
}
