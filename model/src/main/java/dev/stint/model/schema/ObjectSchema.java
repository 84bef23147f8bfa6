package dev.stint.model.schema;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A type of objects.
 *
 * @param atomic whether server-side apply gives the whole object to one owner
 * @param fields by name, in the order in which they are written
 */
public record ObjectSchema(String name, boolean atomic, Map<String, FieldSchema> fields) {
  public @Nullable FieldSchema field(String field) {
    return fields.get(field);
  }
}
