package dev.stint.kube;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.ObjectList;
import dev.stint.cluster.protobuf.ProtobufDocument;
import dev.stint.cluster.protobuf.ProtobufList;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A successful answer, in JSON or protobuf.
 *
 * @param request what it answers, for messages
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record ApiAnswer(String request, boolean isProtobuf, byte[] body) {
  /** Part of a list. */
  record Chunk(ObjectList list, @Nullable String next) {}

  /** Returns the answer as a document. */
  ObjectNode tree() {
    return isProtobuf ? ProtobufDocument.read(body) : json();
  }

  /** Returns the answer as an object of a kind. */
  KubeObject object(Kind kind) {
    return isProtobuf
        ? whole(kind, ProtobufDocument.object(body, mustBeComplete(kind)))
        : KubeObject.of(json());
  }

  /**
   * True if an object that was sent in protobuf must not have lost the fields of a younger API: it
   * may be written again, or others are made of it. Pods are only patched. A pod is read as JSON
   * first if the patch replaces a list.
   */
  static boolean mustBeComplete(Kind kind) {
    return !kind.equals(Kind.POD);
  }

  /**
   * Returns an object that was sent in protobuf, after decoding what others read of it: of a pod
   * only some parts. Throws {@code BAD_REQUEST} if it is malformed, and {@code
   * UNSUPPORTED_MEDIA_TYPE} if it must be complete and is not, so that neither happens at its use.
   */
  static KubeObject whole(Kind kind, KubeObject object) {
    if (mustBeComplete(kind)) {
      return KubeObject.of(object.tree()); // Without its message, which may be kept for long.
    }
    var _ = object.metadata();
    var _ = object.status();
    return object;
  }

  /** Returns the answer as a part of a list of objects of a kind. */
  Chunk chunk(Kind kind) {
    if (isProtobuf) {
      ProtobufList list = ProtobufList.read(body, mustBeComplete(kind));
      return chunk(list.metadata(), list.items().stream().map(item -> whole(kind, item)).toList());
    }
    ObjectNode list = json();
    ArrayNode found = Json.arrayAt(list, "items");
    return chunk(
        list.get("metadata"),
        found == null
            ? List.of()
            : found.valueStream().map(item -> KubeObject.of(typed(kind, item))).toList());
  }

  private static Chunk chunk(@Nullable JsonNode metadata, List<KubeObject> items) {
    String revision = Json.text(metadata, "resourceVersion");
    String next = Json.text(metadata, "continue");
    return new Chunk(
        new ObjectList(items, revision == null ? "" : revision),
        next == null || next.isEmpty() ? null : next);
  }

  /** Returns an item with its apiVersion and kind, which items of lists lack. */
  private static ObjectNode typed(Kind kind, JsonNode item) {
    ObjectNode tree = Json.object();
    tree.put("apiVersion", kind.apiVersion()).put("kind", kind.kind());
    item.properties().forEach(member -> tree.set(member.getKey(), member.getValue()));
    return tree;
  }

  private ObjectNode json() {
    try {
      return Json.parse(body);
    } catch (JacksonException | ClassCastException notAnObject) {
      String message = "the answer to " + request + " is not a JSON object";
      throw new ClusterException(Reason.INTERNAL, message, List.of(), notAnObject);
    }
  }
}
