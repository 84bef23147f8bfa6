package dev.stint.apiserver.patch;

import dev.stint.model.schema.ObjectSchema;
import dev.stint.model.schema.Schema;
import dev.stint.model.schema.ValueType.Reference;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The schema of the value at one place of a document. */
sealed interface SchemaNode permits BuiltInNode, CustomNode {

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
    return new BuiltInNode(new Reference(type.name()), null);
  }

  /** Returns the schema of a document by its kind; for unknown kinds, a schema without fields. */
  static SchemaNode ofDocument(ObjectNode document) {
    String apiVersion = document.path("apiVersion").asString("");
    String kind = document.path("kind").asString("");
    return Schema.ofKind(apiVersion, kind).map(SchemaNode::of).orElse(CustomNode.UNKNOWN);
  }

  /** Returns an object of this type with only the fields that are always present. */
  ObjectNode emptyDocument();

  /** True if the status of such a document is written through its subresource. */
  boolean hasStatus();

  /** True if a write through a subresource changes this field of a document. */
  boolean isWrittenThrough(String subresource, String field);

  /** Returns the schema of a member of such a value. */
  SchemaNode member(String name);

  /** Returns the schema of an item of such a value. */
  SchemaNode item();

  /** Returns the granularity of ownership of a value. */
  Parts parts(JsonNode value);

  /** True if the type declares a member by its name. */
  boolean declares(String member);

  /** True if the value is present even when nobody set it. */
  boolean isAlwaysThere();

  /** Returns the members that identify an item of such a list; none if its value identifies it. */
  List<String> keys();

  /** Returns the value of a key that an item omits; null if it may not. */
  @Nullable JsonNode defaultKey();

  /**
   * Returns the merge key of such a list in a strategic merge patch: the name of a member, "" for
   * the item itself, null if a patch replaces the list.
   */
  @Nullable String patchKey();

  /** Returns the empty value of a field that is always present. */
  JsonNode empty();
}
