package dev.stint.apiserver.patch;

import dev.stint.model.Json;
import dev.stint.model.document.Documents;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.schema.FieldSchema;
import dev.stint.model.schema.FieldSchema.Ownership;
import dev.stint.model.schema.FieldSchema.Presence;
import dev.stint.model.schema.ObjectSchema;
import dev.stint.model.schema.Schema;
import dev.stint.model.schema.ValueType;
import dev.stint.model.schema.ValueType.ListOf;
import dev.stint.model.schema.ValueType.MapOf;
import dev.stint.model.schema.ValueType.Reference;
import dev.stint.model.schema.ValueType.Scalar;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The schema of the value at one place of a document.
 *
 * @param field the field that has the value; null for items of lists and members of maps
 */
record SchemaNode(ValueType type, @Nullable FieldSchema field) {
  private static final SchemaNode ANY = new SchemaNode(Scalar.ANY, null);

  /** The schema of a document of a custom kind: each member of an object has its own owners. */
  static final SchemaNode CUSTOM = new SchemaNode(new MapOf(Scalar.ANY), null);

  private static final SchemaNode METADATA = new SchemaNode(new Reference("ObjectMeta"), null);

  /** The granularity of ownership of a value. */
  enum Parts {
    /** The whole value has one owner. */
    ONE,
    /** Each member of an object or map has its owners. */
    MEMBERS,
    /** Each item of a list, identified by its keys or its value, has its owners. */
    ITEMS
  }

  static SchemaNode of(ObjectSchema type) {
    return new SchemaNode(new Reference(type.name()), null);
  }

  /** Returns the schema of a document by its kind. */
  static SchemaNode ofDocument(ObjectNode document) {
    String apiVersion = document.path("apiVersion").asString("");
    String kind = document.path("kind").asString("");
    return Schema.ofKind(apiVersion, kind).map(SchemaNode::of).orElse(CUSTOM);
  }

  /** Returns an object of this type with only the fields that are always present. */
  ObjectNode emptyDocument() {
    return type instanceof Reference(String name)
        ? Documents.decode(Json.object(), Schema.type(name), new FieldErrors())
        : Json.object();
  }

  /** Returns the schema of a member of such a value. */
  SchemaNode member(String name) {
    if (this == CUSTOM) {
      return name.equals("metadata") ? METADATA : CUSTOM;
    }
    return switch (type) {
      case Reference reference -> {
        FieldSchema known = Schema.type(reference.type()).field(name);
        yield known == null ? ANY : new SchemaNode(known.type(), known);
      }
      case MapOf map -> new SchemaNode(map.value(), null);
      default -> ANY;
    };
  }

  /** Returns the schema of an item of such a value. */
  SchemaNode item() {
    return type instanceof ListOf list ? new SchemaNode(list.item(), null) : ANY;
  }

  /** Returns the granularity of ownership of a value. */
  Parts parts(JsonNode value) {
    Parts parts = declaredParts();
    boolean fits = parts == Parts.MEMBERS ? value.isObject() : value.isArray();
    return fits ? parts : Parts.ONE;
  }

  private Parts declaredParts() {
    Ownership ownership = field == null ? Ownership.GRANULAR : field.ownership();
    if (ownership == Ownership.ATOMIC) {
      return Parts.ONE;
    }
    return switch (type) {
      case Scalar _ -> Parts.ONE;
      case Reference reference ->
          Schema.type(reference.type()).atomic() ? Parts.ONE : Parts.MEMBERS;
      case MapOf _ -> Parts.MEMBERS;
      case ListOf _ -> ownership == Ownership.GRANULAR ? Parts.ONE : Parts.ITEMS;
    };
  }

  /** True if the type declares its members by name. */
  boolean declaresMembers() {
    return type instanceof Reference;
  }

  /** True if the value is present even when nobody set it. */
  boolean alwaysThere() {
    return field != null && field.presence() == Presence.ALWAYS && declaredParts() != Parts.ONE;
  }

  /** Returns the members that identify an item of such a list; none if its value identifies it. */
  List<String> keys() {
    return field == null ? List.of() : field.keys();
  }

  /**
   * Returns the merge key of such a list in a strategic merge patch: the name of a member, "" for
   * the item itself, null if a patch replaces the list.
   */
  @Nullable String patchKey() {
    return field != null && type instanceof ListOf ? field.patchKey() : null;
  }

  /** Returns the empty value of a field that is always present. */
  JsonNode empty() {
    return type instanceof ListOf ? Json.array() : Json.object();
  }
}
