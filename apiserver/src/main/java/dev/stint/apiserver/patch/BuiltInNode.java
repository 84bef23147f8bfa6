package dev.stint.apiserver.patch;

import dev.stint.model.Json;
import dev.stint.model.document.Documents;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.schema.FieldSchema;
import dev.stint.model.schema.FieldSchema.Ownership;
import dev.stint.model.schema.FieldSchema.Presence;
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
 * The schema of the value at one place of a document of a built-in kind.
 *
 * @param field the field that has the value; null for items of lists and members of maps
 */
record BuiltInNode(ValueType type, @Nullable FieldSchema field) implements SchemaNode {
  static final SchemaNode METADATA = new BuiltInNode(new Reference("ObjectMeta"), null);

  private static final SchemaNode ANY = new BuiltInNode(Scalar.ANY, null);

  @Override
  public ObjectNode emptyDocument() {
    return type instanceof Reference(String name)
        ? Documents.decode(Json.object(), Schema.type(name), new FieldErrors())
        : Json.object();
  }

  @Override
  public boolean hasStatus() {
    return type instanceof Reference(String name) && Schema.type(name).field("status") != null;
  }

  @Override
  public boolean isWrittenThrough(String subresource, String name) {
    return !name.equals(subresource.equals("status") ? "spec" : "status")
        || subresource.isEmpty() && !hasStatus();
  }

  @Override
  public @Nullable JsonNode defaultKey() {
    String standIn = field == null ? null : field.defaultKey();
    return standIn == null ? null : Json.text(standIn);
  }

  @Override
  public SchemaNode member(String name) {
    return switch (type) {
      case Reference reference -> {
        FieldSchema known = Schema.type(reference.type()).field(name);
        yield known == null ? ANY : new BuiltInNode(known.type(), known);
      }
      case MapOf map -> new BuiltInNode(map.value(), null);
      default -> ANY;
    };
  }

  @Override
  public SchemaNode item() {
    return type instanceof ListOf list ? new BuiltInNode(list.item(), null) : ANY;
  }

  @Override
  public Parts parts(JsonNode value) {
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

  @Override
  public boolean declares(String member) {
    return type instanceof Reference;
  }

  @Override
  public boolean isAlwaysThere() {
    return field != null && field.presence() == Presence.ALWAYS && declaredParts() != Parts.ONE;
  }

  @Override
  public List<String> keys() {
    return field == null ? List.of() : field.keys();
  }

  @Override
  public @Nullable String patchKey() {
    return field != null && type instanceof ListOf ? field.patchKey() : null;
  }

  @Override
  public JsonNode empty() {
    return type instanceof ListOf ? Json.array() : Json.object();
  }
}
