package dev.stint.testkit;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ObjectList;
import dev.stint.cluster.WatchEvent;
import dev.stint.cluster.WatchHandler;
import dev.stint.model.ObjectRef;
import dev.stint.testkit.time.BlockingAnswers;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Reports the deletion of an object. */
final class DeletionWait implements WatchHandler {
  private final Cluster cluster;
  private final ObjectRef ref;
  private final CompletableFuture<@Nullable Void> gone;

  DeletionWait(Cluster cluster, ObjectRef ref, CompletableFuture<@Nullable Void> gone) {
    this.cluster = cluster;
    this.ref = ref;
    this.gone = gone;
  }

  /** Starts the watch. */
  void start() {
    String namespace = ref.kind().namespaced() ? ref.namespace() : null;
    ObjectList now = BlockingAnswers.of(cluster.list(ref.kind(), namespace));
    if (now.items().stream().noneMatch(each -> each.name().equals(ref.name()))) {
      gone.complete(null);
      return;
    }
    var watch = cluster.watch(ref.kind(), namespace, now.resourceVersion(), this);
    gone.whenComplete((_, _) -> watch.close());
  }

  @Override
  public void onEvent(WatchEvent event) {
    if (event.type() == WatchEvent.Type.DELETED && event.object().name().equals(ref.name())) {
      gone.complete(null);
    }
  }

  @Override
  public void onClosed(@Nullable ClusterException cause) {
    gone.completeExceptionally(new IllegalStateException("the watch ended", cause));
  }
}
