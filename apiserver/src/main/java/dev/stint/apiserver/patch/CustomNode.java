package dev.stint.apiserver.patch;

import dev.stint.apiextensions.schema.JsonSchema;
import dev.stint.model.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The schema of the value at one place of a custom resource. Its keywords {@code
 * x-kubernetes-list-type}, {@code x-kubernetes-list-map-keys} and {@code x-kubernetes-map-type} say
 * who may own what; of a value without a schema, each member of an object has its owners.
 *
 * @param schema null if nothing is said about the value
 * @param place where it is
 * @param hasStatus true for a document whose status is a subresource
 */
record CustomNode(@Nullable JsonSchema schema, NodePosition place, boolean hasStatus)
    implements SchemaNode {
  /** The schema of documents of a kind that is not known. */
  static final SchemaNode UNKNOWN = new CustomNode(null, NodePosition.ROOT, false);

  private static final SchemaNode ANY = new CustomNode(null, NodePosition.BELOW, false);

  /** The place of a value in a document. */
  enum NodePosition {
    ROOT,
    BELOW
  }

  /** Returns the schema of a document. */
  static SchemaNode root(JsonSchema schema, boolean hasStatus) {
    return new CustomNode(schema, NodePosition.ROOT, hasStatus);
  }

  private static SchemaNode below(@Nullable JsonSchema schema) {
    return schema == null ? ANY : new CustomNode(schema, NodePosition.BELOW, false);
  }

  @Override
  public ObjectNode emptyDocument() {
    return Json.object();
  }

  /** The status alone is written through its subresource; no metadata either. */
  @Override
  public boolean isWrittenThrough(String subresource, String field) {
    return subresource.equals("status")
        ? field.equals("status")
        : !hasStatus || !field.equals("status");
  }

  @Override
  public SchemaNode member(String name) {
    if (name.equals("metadata") && isResource()) {
      return BuiltInNode.METADATA;
    }
    return schema == null ? ANY : below(schema.member(name));
  }

  private boolean isResource() {
    return place == NodePosition.ROOT || schema != null && schema.isEmbeddedResource();
  }

  @Override
  public SchemaNode item() {
    return schema == null ? ANY : below(schema.items());
  }

  @Override
  public Parts parts(JsonNode value) {
    if (value.isObject()) {
      return isAtomicMap() ? Parts.ONE : Parts.MEMBERS;
    }
    return value.isArray() && isAssociative() ? Parts.ITEMS : Parts.ONE;
  }

  private boolean isAtomicMap() {
    return schema != null && schema.extensions().mapType().equals("atomic");
  }

  private boolean isAssociative() {
    return schema != null && List.of("set", "map").contains(schema.extensions().listType());
  }

  @Override
  public boolean declares(String member) {
    return isResource() && List.of("apiVersion", "kind", "metadata").contains(member)
        || schema != null && schema.properties().containsKey(member);
  }

  @Override
  public boolean isAlwaysThere() {
    return false;
  }

  @Override
  public List<String> keys() {
    return schema != null && schema.extensions().listType().equals("map")
        ? schema.extensions().listMapKeys()
        : List.of();
  }

  @Override
  public @Nullable JsonNode defaultKey() {
    return schema == null ? null : schema.defaultValue();
  }

  @Override
  public @Nullable String patchKey() {
    return null;
  }

  @Override
  public JsonNode empty() {
    return schema != null && schema.isArray() ? Json.array() : Json.object();
  }
}
