package dev.stint.cli.submit;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.document.Document;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * A config map or a secret from the same files as the Jobs that use it.
 *
 * @param document its place in a file, for messages
 * @param kind config map or secret
 * @param tree the document, with its namespace
 */
public record RequestedInput(Document document, Kind kind, ObjectNode tree) {
  private static final List<Kind> KINDS = List.of(Kind.CONFIG_MAP, Kind.SECRET);

  /** Reads an input for this machine; empty if the document is something else. */
  public static Optional<RequestedInput> of(Document document) {
    return of(document, "default");
  }

  /**
   * Reads an input; empty if the document is something else.
   *
   * @param namespace that of a document that names none
   */
  public static Optional<RequestedInput> of(Document document, String namespace) {
    KubeObject object = document.object();
    return Kind.of(object.apiVersion(), object.kindName())
        .filter(KINDS::contains)
        .map(kind -> new RequestedInput(document, kind, withNamespace(object.copy(), namespace)));
  }

  private static ObjectNode withNamespace(ObjectNode tree, String namespace) {
    ObjectNode metadata = tree.withObjectProperty("metadata");
    if (!metadata.has("namespace")) {
      metadata.put("namespace", namespace);
    }
    return tree;
  }

  /** Returns its name; empty if it has none. */
  public String name() {
    return ref().name();
  }

  ObjectRef ref() {
    KubeObject object = KubeObject.of(tree);
    String name = Json.text(object.metadata(), "name");
    return new ObjectRef(kind, object.namespace(), name == null ? "" : name);
  }

  KubeObject toCreate() {
    return KubeObject.of(tree.deepCopy());
  }

  /** Returns the replacement of the existing object of its name. */
  KubeObject toReplace(KubeObject existing) {
    ObjectNode copy = tree.deepCopy();
    copy.withObjectProperty("metadata")
        .put("uid", existing.uid())
        .put("resourceVersion", existing.resourceVersion());
    return KubeObject.of(copy);
  }

  /** Returns its place in its file. */
  String source() {
    return document.sourceName() + ":" + document.line();
  }
}
