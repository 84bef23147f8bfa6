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
 * What the schema says about the value at one place of a document.
 *
 * @param field the field whose value it is; null for items of lists and members of maps
 */
record SchemaNode(ValueType type, @Nullable FieldSchema field) {
  private static final SchemaNode ANY = new SchemaNode(Scalar.ANY, null);

  /** How much of a value one owner has. */
  enum Parts {
    /** All of it. */
    ONE,
    /** Each member of an object or map. */
    MEMBERS,
    /** Each item of a list, known by its keys or its value. */
    ITEMS
  }

  static SchemaNode of(ObjectSchema type) {
    return new SchemaNode(new Reference(type.name()), null);
  }

  /** The shape of documents of that kind, which the schema must know. */
  static SchemaNode ofDocument(ObjectNode document) {
    String apiVersion = document.path("apiVersion").asString("");
    String kind = document.path("kind").asString("");
    return Schema.ofKind(apiVersion, kind)
        .map(SchemaNode::of)
        .orElseThrow(() -> new IllegalArgumentException("no kind " + apiVersion + " " + kind));
  }

  /** An object of this shape that has nothing but what is always there. */
  ObjectNode emptyDocument() {
    return type instanceof Reference(String name)
        ? Documents.decode(Json.object(), Schema.type(name), new FieldErrors())
        : Json.object();
  }

  /** The shape of a member of a value of this shape. */
  SchemaNode member(String name) {
    return switch (type) {
      case Reference reference -> {
        FieldSchema known = Schema.type(reference.type()).field(name);
        yield known == null ? ANY : new SchemaNode(known.type(), known);
      }
      case MapOf map -> new SchemaNode(map.value(), null);
      default -> ANY;
    };
  }

  /** The shape of an item of a value of this shape. */
  SchemaNode item() {
    return type instanceof ListOf list ? new SchemaNode(list.item(), null) : ANY;
  }

  /** How ownership of the value is told. */
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

  /** Whether a member of this shape's objects is one that the type declares by name. */
  boolean declaresMembers() {
    return type instanceof Reference;
  }

  /** Whether the value is there even where nobody gave it. */
  boolean alwaysThere() {
    return field != null && field.presence() == Presence.ALWAYS && declaredParts() != Parts.ONE;
  }

  /** The members that identify an item of a list of this shape; none where its value does. */
  List<String> keys() {
    return field == null ? List.of() : field.keys();
  }

  /**
   * By what a strategic merge patch matches the items of a list of this shape: the name of a
   * member, "" for the item itself, null where it replaces the list.
   */
  @Nullable String patchKey() {
    return field != null && type instanceof ListOf ? field.patchKey() : null;
  }

  /** An empty value for one that is always there. */
  JsonNode empty() {
    return type instanceof ListOf ? Json.array() : Json.object();
  }
}
