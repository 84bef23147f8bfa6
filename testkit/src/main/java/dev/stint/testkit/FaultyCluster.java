package dev.stint.testkit;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.ObjectList;
import dev.stint.cluster.Timers;
import dev.stint.cluster.Watch;
import dev.stint.cluster.WatchEvent;
import dev.stint.cluster.WatchHandler;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Lets requests of controllers go wrong as a test wants them to. */
final class FaultyCluster implements Cluster {
  private final Cluster cluster;
  private final Faults faults;
  private final Supplier<Timers> timers;

  FaultyCluster(Cluster cluster, Faults faults, Supplier<Timers> timers) {
    this.cluster = cluster;
    this.faults = faults;
    this.timers = timers;
  }

  @Override
  public CompletableFuture<KubeObject> get(ObjectRef ref) {
    return send("get", "", ref, () -> cluster.get(ref));
  }

  @Override
  public CompletableFuture<ObjectList> list(Kind kind, @Nullable String namespace) {
    return send("list", "", collection(kind, namespace), () -> cluster.list(kind, namespace));
  }

  @Override
  public Watch watch(
      Kind kind, @Nullable String namespace, String afterRevision, WatchHandler handler) {
    Line line = new Line(handler);
    Faults.Failure failure =
        faults.next(request("watch", "", collection(kind, namespace))).failure();
    if (failure != null) {
      line.cut(failure.of(request("watch", "", collection(kind, namespace))));
    } else {
      line.follow(cluster.watch(kind, namespace, afterRevision, line));
    }
    return line;
  }

  @Override
  public CompletableFuture<KubeObject> create(KubeObject object) {
    return send("create", "", object.ref(), () -> cluster.create(object));
  }

  @Override
  public CompletableFuture<KubeObject> update(KubeObject object) {
    return send("update", "", object.ref(), () -> cluster.update(object));
  }

  @Override
  public CompletableFuture<KubeObject> updateStatus(KubeObject object) {
    return send("update", "status", object.ref(), () -> cluster.updateStatus(object));
  }

  @Override
  public CompletableFuture<KubeObject> patch(ObjectRef ref, ObjectNode mergePatch) {
    return send("patch", "", ref, () -> cluster.patch(ref, mergePatch));
  }

  @Override
  public CompletableFuture<KubeObject> patchStatus(ObjectRef ref, ObjectNode mergePatch) {
    return send("patch", "status", ref, () -> cluster.patchStatus(ref, mergePatch));
  }

  @Override
  public CompletableFuture<KubeObject> updateFinalize(KubeObject namespace) {
    return send("update", "finalize", namespace.ref(), () -> cluster.updateFinalize(namespace));
  }

  @Override
  public CompletableFuture<@Nullable Void> delete(ObjectRef ref, DeleteOptions options) {
    return send("delete", "", ref, () -> cluster.delete(ref, options));
  }

  private <T extends @Nullable Object> CompletableFuture<T> send(
      String verb, String subresource, ObjectRef ref, Supplier<CompletableFuture<T>> asked) {
    ApiRequest request = request(verb, subresource, ref);
    Faults.Effect effect = faults.next(request);
    Faults.Failure failure = effect.failure();
    if (failure != null && !effect.afterwards()) {
      return CompletableFuture.failedFuture(failure.of(request));
    }
    CompletableFuture<T> answer = effect.delay().isZero() ? asked.get() : later(effect, asked);
    return failure == null
        ? answer
        : answer.thenCompose(_ -> CompletableFuture.failedFuture(failure.of(request)));
  }

  private <T extends @Nullable Object> CompletableFuture<T> later(
      Faults.Effect effect, Supplier<CompletableFuture<T>> asked) {
    CompletableFuture<@Nullable Void> passed = new CompletableFuture<>();
    timers.get().after(effect.delay(), () -> passed.complete(null));
    return passed.thenCompose(_ -> asked.get());
  }

  private static ObjectRef collection(Kind kind, @Nullable String namespace) {
    return new ObjectRef(kind, namespace == null ? "" : namespace, "");
  }

  private static ApiRequest request(String verb, String subresource, ObjectRef ref) {
    return new ApiRequest(verb, ref.kind().plural(), subresource, ref.namespace(), ref.name());
  }

  /** A watch that can be broken off. */
  private final class Line implements Watch, WatchHandler {
    private final WatchHandler handler;
    private final Runnable drop = () -> cut(null);
    private volatile @Nullable Watch watch;
    private volatile boolean over;

    Line(WatchHandler handler) {
      this.handler = handler;
    }

    void follow(Watch followed) {
      watch = followed;
      faults.watching(drop);
      if (over) {
        close();
      }
    }

    @Override
    public void event(WatchEvent event) {
      events(List.of(event));
    }

    @Override
    public void events(List<WatchEvent> batch) {
      if (!over) {
        handler.events(batch);
      }
    }

    @Override
    public void closed(@Nullable ClusterException cause) {
      cut(cause);
    }

    void cut(@Nullable ClusterException cause) {
      if (!over) {
        close();
        handler.closed(cause);
      }
    }

    @Override
    public void close() {
      over = true;
      faults.ended(drop);
      Watch followed = watch;
      if (followed != null) {
        followed.close();
      }
    }
  }
}
