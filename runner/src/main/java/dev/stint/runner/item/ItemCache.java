package dev.stint.runner.item;

import dev.stint.cluster.Cluster;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.item.Item;
import dev.stint.model.item.ItemPart;
import dev.stint.model.item.ItemSource;
import dev.stint.model.item.ListParts;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Finds the items of pods. Pods of a Job take neighbouring lines of the same list, so each part of
 * it is read and parsed once for all of them. A few parts are kept, for a moment, however long the
 * list is.
 */
public final class ItemCache {
  /** A part has about a megabyte. */
  private static final int MOST_PARTS = 8;

  private static final Duration MOMENT = Duration.ofSeconds(30);

  private final Cluster cluster;
  private final InstantSource clock;
  private final Map<ObjectRef, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);

  public ItemCache(Cluster cluster, InstantSource clock) {
    this.cluster = cluster;
    this.clock = clock;
  }

  /** A config map of a list. The first one holds the index of all parts, and the first part. */
  private record Content(Optional<ListParts> index, Optional<ItemPart> part) {}

  private record Entry(CompletableFuture<Content> content, Instant since) {
    boolean isCurrent(Instant now) {
      return !content.isCompletedExceptionally()
          && !now.isBefore(since)
          && now.isBefore(since.plus(MOMENT));
    }
  }

  /**
   * Returns the item of an index.
   *
   * @return completes with nothing if the list has no such item; fails if a config map cannot be
   *     read
   */
  public CompletionStage<Optional<Item>> find(String namespace, ItemSource list, int index) {
    return content(namespace, list, 0)
        .thenCompose(first ->
            first
                .index()
                .map(parts -> find(namespace, list, parts, index))
                .orElseGet(() -> CompletableFuture.completedFuture(Optional.empty())));
  }

  private CompletableFuture<Optional<Item>> find(
      String namespace, ItemSource list, ListParts parts, int index) {
    int part = parts.partOf(index);
    return content(namespace, list, part)
        .thenApply(
            found -> found.part().flatMap(lines -> lines.item(index, index - parts.start(part))));
  }

  private CompletableFuture<Content> content(String namespace, ItemSource list, int part) {
    ObjectRef ref = new ObjectRef(Kind.CONFIG_MAP, namespace, list.map(part));
    Instant now = clock.instant();
    CompletableFuture<Content> mine = new CompletableFuture<>();
    synchronized (entries) {
      Entry known = entries.get(ref);
      if (known != null && known.isCurrent(now)) {
        return known.content();
      }
      entries.put(ref, new Entry(mine, now));
      if (entries.size() > MOST_PARTS) {
        entries.remove(entries.keySet().iterator().next());
      }
    }
    cluster
        .get(ref)
        .thenApply(map -> read(map, part))
        .whenComplete((content, failure) -> {
          if (failure == null) {
            mine.complete(content);
          } else {
            mine.completeExceptionally(failure);
          }
        });
    return mine;
  }

  private static Content read(KubeObject map, int part) {
    Optional<ListParts> index = part == 0 ? ListParts.read(map) : Optional.empty();
    Content content = new Content(index, ItemPart.read(map, part));
    // The server may hold the same object for long: its text is enough there.
    map.trim();
    return content;
  }
}
