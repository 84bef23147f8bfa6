package dev.stint.model.document;

import dev.stint.model.Json;
import dev.stint.model.schema.FieldSchema;
import dev.stint.model.schema.FieldSchema.Presence;
import dev.stint.model.schema.ObjectSchema;
import dev.stint.model.schema.Schema;
import dev.stint.model.schema.ValueType;
import dev.stint.model.schema.ValueType.ListOf;
import dev.stint.model.schema.ValueType.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Converts objects to the form in which they are stored and compared: without empty lists and maps
 * that count as set only while a request is checked ({@link Presence#CHECKED}).
 */
public final class StoredForm {
  /** The fields of each type that are such lists or maps or lead to some. */
  private static final Map<String, List<FieldSchema>> LEADING = new ConcurrentHashMap<>();

  private StoredForm() {}

  /**
   * Returns an object in that form: the same object if it has that form, else a copy that shares
   * all unchanged parts.
   *
   * @param object an object that states its kind
   */
  public static ObjectNode of(ObjectNode object) {
    return of(object, null);
  }

  /**
   * Does the same for a changed object.
   *
   * @param before the former object, in that form; null for none. Members shared by both are not
   *     checked again
   */
  public static ObjectNode of(ObjectNode object, @Nullable ObjectNode before) {
    String apiVersion = Json.text(object, "apiVersion");
    String kind = Json.text(object, "kind");
    if (apiVersion == null || kind == null) {
      return object;
    }
    ObjectSchema type = Schema.ofKind(apiVersion, kind).orElse(null);
    return type == null ? object : object(object, before, type);
  }

  private static ObjectNode object(
      ObjectNode object, @Nullable ObjectNode before, ObjectSchema type) {
    ObjectNode stored = object;
    for (FieldSchema field : leading(type)) {
      JsonNode value = object.get(field.name());
      if (value == null || before != null && value == before.get(field.name())) {
        continue;
      }
      boolean dropped = field.presence() == Presence.CHECKED && value.isEmpty();
      JsonNode kept = dropped ? null : value(value, field.type());
      if (kept != value) {
        stored = stored == object ? Json.copyOf(object) : stored;
        put(stored, field.name(), kept);
      }
    }
    return stored;
  }

  private static void put(ObjectNode object, String member, @Nullable JsonNode value) {
    if (value == null) {
      object.remove(member);
    } else {
      object.set(member, value);
    }
  }

  private static JsonNode value(JsonNode value, ValueType type) {
    if (type instanceof Reference(String name) && value instanceof ObjectNode object) {
      return object(object, null, Schema.type(name));
    }
    return type instanceof ListOf(ValueType item) && value instanceof ArrayNode list
        ? list(list, item)
        : value;
  }

  private static ArrayNode list(ArrayNode list, ValueType type) {
    ArrayNode stored = list;
    for (int i = 0; i < list.size(); i++) {
      JsonNode item = list.get(i);
      JsonNode kept = value(item, type);
      if (kept != item) {
        stored = stored == list ? Json.array().addAll(list) : stored;
        stored.set(i, kept);
      }
    }
    return stored;
  }

  /** Avoids streams: this runs at the start of the program. */
  private static List<FieldSchema> leading(ObjectSchema type) {
    List<FieldSchema> known = LEADING.get(type.name());
    if (known == null) {
      known = new ArrayList<>();
      for (FieldSchema field : type.fields().values()) {
        if (leads(field)) {
          known.add(field);
        }
      }
      LEADING.put(type.name(), known);
    }
    return known;
  }

  private static boolean leads(FieldSchema field) {
    ValueType type = field.type() instanceof ListOf(ValueType item) ? item : field.type();
    return field.presence() == Presence.CHECKED
        || type instanceof Reference(String name) && !leading(Schema.type(name)).isEmpty();
  }
}
