package dev.stint.simulation;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterRequest;
import dev.stint.cluster.ForwardingCluster;
import dev.stint.cluster.ObjectList;
import dev.stint.cluster.Watch;
import dev.stint.cluster.WatchEvent;
import dev.stint.cluster.WatchHandler;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The access of one controller to an API, seen by laws about what it asks for and is told. */
final class ObservedCluster extends ForwardingCluster {
  private final Consumer<ClusterRequest> asked;
  private final Consumer<KubeObject> told;

  /**
   * @param asked receives each request before it is sent
   * @param told receives each object that a list or a watch reports to exist
   */
  ObservedCluster(Cluster api, Consumer<ClusterRequest> asked, Consumer<KubeObject> told) {
    super(api);
    this.asked = asked;
    this.told = told;
  }

  @Override
  protected <T extends @Nullable Object> CompletableFuture<T> send(
      ClusterRequest request, Supplier<CompletableFuture<T>> sending) {
    asked.accept(request);
    return sending.get();
  }

  @Override
  public CompletableFuture<String> list(
      Kind kind, @Nullable String namespace, Function<ObjectList, CompletableFuture<?>> each) {
    return super.list(
        kind,
        namespace,
        part -> {
          part.items().forEach(told);
          return each.apply(part);
        });
  }

  @Override
  public Watch watch(
      Kind kind, @Nullable String namespace, String afterRevision, WatchHandler handler) {
    return super.watch(kind, namespace, afterRevision, new ObservedWatch(handler));
  }

  private final class ObservedWatch implements WatchHandler {
    private final WatchHandler handler;

    private ObservedWatch(WatchHandler handler) {
      this.handler = handler;
    }

    @Override
    public void onEvent(WatchEvent event) {
      onEvents(List.of(event));
    }

    @Override
    public void onEvents(List<WatchEvent> batch) {
      batch.stream()
          .filter(event -> event.type() != WatchEvent.Type.DELETED)
          .forEach(event -> told.accept(event.object()));
      handler.onEvents(batch);
    }

    @Override
    public void onClosed(@Nullable ClusterException cause) {
      handler.onClosed(cause);
    }
  }
}
