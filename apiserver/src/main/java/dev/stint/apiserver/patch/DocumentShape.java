package dev.stint.apiserver.patch;

import dev.stint.apiextensions.schema.JsonSchema;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The schema of documents and their versions, on which the ownership of fields depends. */
public final class DocumentShape {
  /** The shape of built-in kinds, whose documents name it. */
  public static final DocumentShape BUILT_IN = new DocumentShape(null, Set.of());

  private final @Nullable SchemaNode custom;
  private final Set<String> versions;

  private DocumentShape(@Nullable SchemaNode custom, Set<String> versions) {
    this.custom = custom;
    this.versions = versions;
  }

  /**
   * Returns the shape of a custom kind.
   *
   * @param versions the {@code apiVersion} of every version; their fields have the same names
   * @param status true if the status is a subresource
   */
  public static DocumentShape ofCustomKind(
      JsonSchema schema, Set<String> versions, boolean status) {
    return new DocumentShape(CustomNode.root(schema, status), Set.copyOf(versions));
  }

  /** Returns the schema of a document. */
  SchemaNode schema(ObjectNode document) {
    return custom == null ? SchemaNode.ofDocument(document) : custom;
  }

  /** True if the fields of one version are known in another. */
  boolean converts(String from, String to) {
    return from.equals(to) || versions.contains(from) && versions.contains(to);
  }
}
