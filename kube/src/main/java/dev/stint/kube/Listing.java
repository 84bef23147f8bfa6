package dev.stint.kube;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.ObjectList;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Lists in chunks, so that no answer is so large that the API has to hold it whole (Kubernetes API
 * Concepts, Retrieving large results sets in chunks). All chunks are of one revision.
 */
final class Listing {
  private static final int CHUNK = 500;

  private final Rest rest;
  private final Executor virtualThreads;

  Listing(Rest rest, Executor virtualThreads) {
    this.rest = rest;
    this.virtualThreads = virtualThreads;
  }

  CompletableFuture<ObjectList> of(Kind kind, @Nullable String namespace) {
    String path = ResourcePath.collection(kind, namespace);
    return CompletableFuture.supplyAsync(() -> all(kind, path), virtualThreads);
  }

  /** A revision that got lost between two chunks can't be finished; then all comes in one. */
  private ObjectList all(Kind kind, String path) {
    ObjectNode first = rest.get(path + "?limit=" + CHUNK).join();
    try {
      return chunks(kind, path, first);
    } catch (CompletionException failure) {
      if (ClusterException.causeOf(failure) instanceof ClusterException refusal
          && refusal.reason() == Reason.GONE) {
        return chunks(kind, path, rest.get(path).join());
      }
      throw failure;
    }
  }

  private ObjectList chunks(Kind kind, String path, ObjectNode first) {
    List<KubeObject> items = new ArrayList<>();
    ObjectNode chunk = first;
    add(kind, chunk, items);
    for (String next = next(chunk); next != null; next = next(chunk)) {
      String query = "?limit=" + CHUNK + "&continue=" + ResourcePath.encoded(next);
      chunk = rest.get(path + query).join();
      add(kind, chunk, items);
    }
    String revision = Json.text(chunk.get("metadata"), "resourceVersion");
    return new ObjectList(List.copyOf(items), revision == null ? "" : revision);
  }

  private static @Nullable String next(ObjectNode chunk) {
    String token = Json.text(chunk.get("metadata"), "continue");
    return token == null || token.isEmpty() ? null : token;
  }

  private static void add(Kind kind, ObjectNode chunk, List<KubeObject> items) {
    ArrayNode found = Json.arrayAt(chunk, "items");
    if (found != null) {
      found.forEach(item -> items.add(KubeObject.of(typed(kind, item))));
    }
  }

  /** Items of lists don't say what they are. */
  private static ObjectNode typed(Kind kind, JsonNode item) {
    ObjectNode tree = Json.object();
    tree.put("apiVersion", kind.apiVersion()).put("kind", kind.kind());
    item.properties().forEach(member -> tree.set(member.getKey(), member.getValue()));
    return tree;
  }
}
