package dev.stint.apiextensions.structure;

import dev.stint.apiextensions.schema.JsonSchema;
import dev.stint.model.Json;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldErrors;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A node of a schema, and its place.
 *
 * @param path its field in the definition
 * @param isResource whether it describes an object with a kind: the root, or an embedded resource
 * @param inMetadata whether it is below the metadata of the object itself
 * @param isKept whether it was accepted before, by the rules of that time
 */
record CheckedSchema(
    JsonSchema schema,
    String path,
    Level level,
    boolean isResource,
    boolean inMetadata,
    boolean isKept,
    FieldErrors faults) {
  /** The places of nodes. */
  enum Level {
    ROOT,
    FIELD,
    ITEM
  }

  /** True if it describes the object itself. */
  boolean isWhole() {
    return level == Level.ROOT;
  }

  CheckedSchema child(JsonSchema child, String step, Level at, boolean metadata) {
    return new CheckedSchema(
        child, path + "." + step, at, child.isEmbeddedResource(), metadata, isKept, faults);
  }

  void invalid(String keyword, @Nullable JsonNode value, String detail) {
    add(keyword, FieldError.Type.INVALID, detail, value);
  }

  void invalid(String keyword, String value, String detail) {
    invalid(keyword, Json.text(value), detail);
  }

  void forbidden(String keyword, String detail) {
    add(keyword, FieldError.Type.FORBIDDEN, detail, null);
  }

  void required(String keyword, String detail) {
    add(keyword, FieldError.Type.REQUIRED, detail, null);
  }

  void add(String keyword, FieldError.Type type, String detail, @Nullable JsonNode value) {
    String place = keyword.isEmpty() ? path : path + "." + keyword;
    faults.addAll(List.of(new FieldError(place, type, detail, value)));
  }
}
