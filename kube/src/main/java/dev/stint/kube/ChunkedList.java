package dev.stint.kube;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.ObjectList;
import dev.stint.kube.ApiAnswer.Chunk;
import dev.stint.model.Kind;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

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
    Chunk chunk = rest.get(path + limit, answer -> answer.chunk(kind)).join();
    deliver(chunk.list(), each);
    while (chunk.next() != null) {
      String query =
          limit + (limit.isEmpty() ? "?" : "&") + "continue=" + ResourcePath.encoded(chunk.next());
      chunk = rest.get(path + query, answer -> answer.chunk(kind)).join();
      deliver(chunk.list(), each);
    }
    return chunk.list().resourceVersion();
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
}
