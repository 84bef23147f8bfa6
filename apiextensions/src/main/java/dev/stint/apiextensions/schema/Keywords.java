package dev.stint.apiextensions.schema;

import dev.stint.model.field.FieldErrors;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
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
    JsonNode found = get(name);
    if (found == null || found.isString()) {
      return found == null ? null : found.stringValue();
    }
    undecodable(name, "text");
    return null;
  }

  public @Nullable Boolean flag(String name) {
    JsonNode found = get(name);
    if (found == null || found.isBoolean()) {
      return found == null ? null : found.booleanValue();
    }
    undecodable(name, "true or false");
    return null;
  }

  public boolean isTrue(String name) {
    return Boolean.TRUE.equals(flag(name));
  }

  public @Nullable Long count(String name) {
    JsonNode found = get(name);
    if (found == null || found.isIntegralNumber() && found.canConvertToLong()) {
      return found == null ? null : found.longValue();
    }
    undecodable(name, "an integer");
    return null;
  }

  public @Nullable BigDecimal number(String name) {
    JsonNode found = get(name);
    if (found == null || found.isNumber()) {
      return found == null ? null : found.decimalValue();
    }
    undecodable(name, "a number");
    return null;
  }

  public @Nullable ObjectNode object(String name) {
    JsonNode found = get(name);
    if (found == null || found instanceof ObjectNode) {
      return (ObjectNode) found;
    }
    undecodable(name, "an object");
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
