package dev.stint.kube;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.ObjectList;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Lists objects in chunks, so that the API never has to hold a whole large answer (Kubernetes API
 * Concepts, Retrieving large results sets in chunks). All chunks have one revision.
 */
final class ChunkedList {
  /** The chunk sizes; if a list expires before its end, the next try takes larger chunks. */
  private static final List<String> CHUNKS = List.of("500", "5000", "");

  private final RestClient rest;
  private final Executor virtualThreads;

  ChunkedList(RestClient rest, Executor virtualThreads) {
    this.rest = rest;
    this.virtualThreads = virtualThreads;
  }

  /**
   * @param each receives the chunks in order; the next one is read when its future completes
   * @return the revision of the chunks since the last one of another revision
   */
  CompletableFuture<String> list(
      Kind kind, @Nullable String namespace, Function<ObjectList, CompletableFuture<?>> each) {
    String path = ResourcePath.collection(kind, namespace);
    return CompletableFuture.supplyAsync(() -> listAll(kind, path, each), virtualThreads);
  }

  /**
   * Lists all chunks. A revision that expires between two chunks cannot be finished; the list then
   * begins anew.
   */
  private String listAll(Kind kind, String path, Function<ObjectList, CompletableFuture<?>> each) {
    for (int attempt = 0; ; attempt++) {
      try {
        return listChunks(kind, path, CHUNKS.get(attempt), each);
      } catch (CompletionException failure) {
        if (attempt + 1 == CHUNKS.size()
            || !(ClusterException.causeOf(failure) instanceof ClusterException refusal)
            || refusal.reason() != Reason.GONE) {
          throw failure;
        }
      }
    }
  }

  private String listChunks(
      Kind kind, String path, String size, Function<ObjectList, CompletableFuture<?>> each) {
    String limit = size.isEmpty() ? "" : "?limit=" + size;
    ObjectNode chunk = rest.get(path + limit).join();
    deliver(read(kind, chunk), each);
    for (String next = next(chunk); next != null; next = next(chunk)) {
      String query =
          limit + (limit.isEmpty() ? "?" : "&") + "continue=" + ResourcePath.encoded(next);
      chunk = rest.get(path + query).join();
      deliver(read(kind, chunk), each);
    }
    return revision(chunk);
  }

  private static void deliver(ObjectList chunk, Function<ObjectList, CompletableFuture<?>> each) {
    try {
      each.apply(chunk).get();
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
      throw new ClusterException(Reason.UNAVAILABLE, "closed while listing");
    } catch (ExecutionException fault) {
      throw new CompletionException(fault.getCause());
    }
  }

  private static ObjectList read(Kind kind, ObjectNode chunk) {
    ArrayNode found = Json.arrayAt(chunk, "items");
    List<KubeObject> items =
        found == null
            ? List.of()
            : found.valueStream().map(item -> KubeObject.of(typed(kind, item))).toList();
    return new ObjectList(items, revision(chunk));
  }

  private static String revision(ObjectNode chunk) {
    String revision = Json.text(chunk.get("metadata"), "resourceVersion");
    return revision == null ? "" : revision;
  }

  private static @Nullable String next(ObjectNode chunk) {
    String token = Json.text(chunk.get("metadata"), "continue");
    return token == null || token.isEmpty() ? null : token;
  }

  /** Returns an item with its apiVersion and kind, which items of lists lack. */
  private static ObjectNode typed(Kind kind, JsonNode item) {
    ObjectNode tree = Json.object();
    tree.put("apiVersion", kind.apiVersion()).put("kind", kind.kind());
    item.properties().forEach(member -> tree.set(member.getKey(), member.getValue()));
    return tree;
  }
}
