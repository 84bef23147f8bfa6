package dev.stint.harness;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ForwardingCluster;
import dev.stint.cluster.ObjectList;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A cluster with lists too long to be held whole: they come in parts of one object only. */
public final class ListedInParts extends ForwardingCluster {
  private final Runnable onPart;

  /**
   * @param onPart runs before each part that has an object
   */
  public ListedInParts(Cluster cluster, Runnable onPart) {
    super(cluster);
    this.onPart = onPart;
  }

  @Override
  public CompletableFuture<String> list(
      Kind kind, @Nullable String namespace, Function<ObjectList, CompletableFuture<?>> each) {
    return cluster().list(kind, namespace).thenCompose(all -> deliver(all, 0, each));
  }

  private CompletableFuture<String> deliver(
      ObjectList all, int next, Function<ObjectList, CompletableFuture<?>> each) {
    if (next >= all.items().size()) {
      return each.apply(new ObjectList(List.of(), all.resourceVersion()))
          .thenApply(_ -> all.resourceVersion());
    }
    onPart.run();
    List<KubeObject> part = List.of(all.items().get(next));
    return each.apply(new ObjectList(part, all.resourceVersion()))
        .thenCompose(_ -> deliver(all, next + 1, each));
  }

  @Override
  public CompletableFuture<ObjectList> list(Kind kind, @Nullable String namespace) {
    throw new AssertionError("a whole list does not fit into memory");
  }
}
