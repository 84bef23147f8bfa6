package dev.stint.apiextensions.schema;

import dev.stint.model.field.FieldErrors;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The members of one object of a CustomResourceDefinition. A member of another type is reported and
 * read as absent, as is null.
 *
 * @param path the object's field
 */
public record Keywords(ObjectNode tree, String path, FieldErrors faults) {

  /** Returns a member; null if it is absent or null. */
  public @Nullable JsonNode get(String name) {
    JsonNode found = tree.get(name);
    return found == null || found.isNull() ? null : found;
  }

  public boolean has(String name) {
    return get(name) != null;
  }

  /** Returns the field of a member. */
  public String at(String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  public String text(String name) {
    String found = textOrNull(name);
    return found == null ? "" : found;
  }

  public @Nullable String textOrNull(String name) {
    return typed(name, JsonNode::isString, JsonNode::stringValue, "text");
  }

  public @Nullable Boolean flag(String name) {
    return typed(name, JsonNode::isBoolean, JsonNode::booleanValue, "true or false");
  }

  public boolean isTrue(String name) {
    return Boolean.TRUE.equals(flag(name));
  }

  public @Nullable Long count(String name) {
    return typed(
        name,
        found -> found.isIntegralNumber() && found.canConvertToLong(),
        JsonNode::longValue,
        "an integer");
  }

  public @Nullable BigDecimal number(String name) {
    return typed(name, JsonNode::isNumber, JsonNode::decimalValue, "a number");
  }

  public @Nullable ObjectNode object(String name) {
    return typed(name, JsonNode::isObject, ObjectNode.class::cast, "an object");
  }

  /**
   * Returns the value of a member of the right type; else null, and reports one of another type.
   */
  private <T> @Nullable T typed(
      String name, Predicate<JsonNode> isRight, Function<JsonNode, T> value, String wanted) {
    JsonNode found = get(name);
    if (found == null) {
      return null;
    }
    if (isRight.test(found)) {
      return value.apply(found);
    }
    undecodable(name, wanted);
    return null;
  }

  /** Returns the items of a list; empty if there is none. */
  public List<JsonNode> values(String name) {
    JsonNode found = get(name);
    if (found == null) {
      return List.of();
    }
    if (!found.isArray()) {
      undecodable(name, "a list");
      return List.of();
    }
    return List.copyOf(found.values());
  }

  public List<String> texts(String name) {
    List<String> texts = new ArrayList<>();
    for (JsonNode item : values(name)) {
      if (item.isString()) {
        texts.add(item.stringValue());
      } else {
        undecodable(name, "a list of texts");
      }
    }
    return texts.isEmpty() ? List.of() : List.copyOf(texts);
  }

  private void undecodable(String name, String wanted) {
    faults.undecodable(at(name), "must be " + wanted);
  }
}
