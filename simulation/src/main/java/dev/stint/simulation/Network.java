package dev.stint.simulation;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.ObjectList;
import dev.stint.cluster.Watch;
import dev.stint.cluster.WatchEvent;
import dev.stint.cluster.WatchHandler;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** What lies between a client and an API: requests travel on an executor, and watches break. */
final class Network implements Cluster {
  private final Cluster api;
  private final Executor wire;
  private final List<Link> links = new ArrayList<>();

  Network(Cluster api, Executor wire) {
    this.api = api;
    this.wire = wire;
  }

  /** A watch that can be broken. */
  private final class Link implements Watch, WatchHandler {
    private final WatchHandler handler;
    private @Nullable Watch watch;
    private boolean ended;

    Link(WatchHandler handler) {
      this.handler = handler;
    }

    @Override
    public void event(WatchEvent event) {
      if (!ended) {
        handler.event(event);
      }
    }

    @Override
    public void closed(@Nullable ClusterException cause) {
      if (!ended) {
        ended = true;
        links.remove(this);
        handler.closed(cause);
      }
    }

    @Override
    public void close() {
      ended = true;
      links.remove(this);
      if (watch != null) {
        watch.close();
      }
    }

    void cut(@Nullable ClusterException cause) {
      if (watch != null) {
        watch.close();
      }
      closed(cause);
    }
  }

  /** Ends all watches, as an API does that restarts or that forgets old revisions. */
  void breakWatches(@Nullable ClusterException cause) {
    List.copyOf(links).forEach(link -> link.cut(cause));
  }

  @Override
  public CompletableFuture<KubeObject> get(ObjectRef ref) {
    return send(() -> api.get(ref));
  }

  @Override
  public CompletableFuture<ObjectList> list(Kind kind, @Nullable String namespace) {
    return send(() -> api.list(kind, namespace));
  }

  @Override
  public Watch watch(
      Kind kind, @Nullable String namespace, String afterRevision, WatchHandler handler) {
    Link link = new Link(handler);
    links.add(link);
    link.watch = api.watch(kind, namespace, afterRevision, link);
    return link;
  }

  @Override
  public CompletableFuture<KubeObject> create(KubeObject object) {
    return send(() -> api.create(object));
  }

  @Override
  public CompletableFuture<KubeObject> update(KubeObject object) {
    return send(() -> api.update(object));
  }

  @Override
  public CompletableFuture<KubeObject> updateStatus(KubeObject object) {
    return send(() -> api.updateStatus(object));
  }

  @Override
  public CompletableFuture<KubeObject> updateFinalize(KubeObject namespace) {
    return send(() -> api.updateFinalize(namespace));
  }

  @Override
  public CompletableFuture<KubeObject> patch(ObjectRef ref, ObjectNode mergePatch) {
    return send(() -> api.patch(ref, mergePatch));
  }

  @Override
  public CompletableFuture<KubeObject> patchStatus(ObjectRef ref, ObjectNode mergePatch) {
    return send(() -> api.patchStatus(ref, mergePatch));
  }

  @Override
  public CompletableFuture<@Nullable Void> delete(ObjectRef ref, DeleteOptions options) {
    return send(() -> api.delete(ref, options));
  }

  private <T extends @Nullable Object> CompletableFuture<T> send(
      Supplier<CompletableFuture<T>> request) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    wire.execute(() ->
        request
            .get()
            .whenComplete((value, failure) -> {
              if (failure == null) {
                answer.complete(value);
              } else {
                answer.completeExceptionally(ClusterException.causeOf(failure));
              }
            }));
    return answer;
  }
}
