package dev.stint.testkit;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterRequest;
import dev.stint.cluster.ForwardingCluster;
import dev.stint.cluster.Timers;
import dev.stint.cluster.Watch;
import dev.stint.cluster.WatchEvent;
import dev.stint.cluster.WatchHandler;
import dev.stint.model.Kind;
import dev.stint.model.ObjectRef;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Injects a test's faults into requests of the controllers. */
final class FaultyCluster extends ForwardingCluster {
  private final FaultSchedule faults;
  private final Supplier<Timers> timers;

  FaultyCluster(Cluster cluster, FaultSchedule faults, Supplier<Timers> timers) {
    super(cluster);
    this.faults = faults;
    this.timers = timers;
  }

  @Override
  public Watch watch(
      Kind kind, @Nullable String namespace, String afterRevision, WatchHandler handler) {
    WatchConnection connection = new WatchConnection(handler);
    FaultSchedule.Failure failure =
        faults.nextEffect(request("watch", "", collection(kind, namespace))).failure();
    if (failure != null) {
      connection.breakOff(failure.of(request("watch", "", collection(kind, namespace))));
    } else {
      connection.follow(cluster().watch(kind, namespace, afterRevision, connection));
    }
    return connection;
  }

  @Override
  protected <T extends @Nullable Object> CompletableFuture<T> send(
      ClusterRequest sent, Supplier<CompletableFuture<T>> forward) {
    String verb = sent.verb().name().toLowerCase(Locale.ROOT);
    ApiRequest request = request(verb, sent.subresource(), sent.ref());
    FaultSchedule.Effect effect = faults.nextEffect(request);
    FaultSchedule.Failure failure = effect.failure();
    if (failure != null && !effect.afterwards()) {
      return CompletableFuture.failedFuture(failure.of(request));
    }
    CompletableFuture<T> answer = effect.delay().isZero() ? forward.get() : later(effect, forward);
    return failure == null
        ? answer
        : answer.thenCompose(_ -> CompletableFuture.failedFuture(failure.of(request)));
  }

  private <T extends @Nullable Object> CompletableFuture<T> later(
      FaultSchedule.Effect effect, Supplier<CompletableFuture<T>> forward) {
    CompletableFuture<@Nullable Void> passed = new CompletableFuture<>();
    timers.get().after(effect.delay(), () -> passed.complete(null));
    return passed.thenCompose(_ -> forward.get());
  }

  private static ObjectRef collection(Kind kind, @Nullable String namespace) {
    return new ObjectRef(kind, namespace == null ? "" : namespace, "");
  }

  private static ApiRequest request(String verb, String subresource, ObjectRef ref) {
    return new ApiRequest(verb, ref.kind().plural(), subresource, ref.namespace(), ref.name());
  }

  /** A watch that can be broken off. */
  private final class WatchConnection implements Watch, WatchHandler {
    private final WatchHandler handler;
    private final Runnable drop = () -> breakOff(null);
    private volatile @Nullable Watch watch;
    private volatile boolean closed;

    WatchConnection(WatchHandler handler) {
      this.handler = handler;
    }

    void follow(Watch followed) {
      watch = followed;
      faults.addWatch(drop);
      if (closed) {
        close();
      }
    }

    @Override
    public void onEvent(WatchEvent event) {
      onEvents(List.of(event));
    }

    @Override
    public void onEvents(List<WatchEvent> batch) {
      if (!closed) {
        handler.onEvents(batch);
      }
    }

    @Override
    public void onClosed(@Nullable ClusterException cause) {
      breakOff(cause);
    }

    void breakOff(@Nullable ClusterException cause) {
      if (!closed) {
        close();
        handler.onClosed(cause);
      }
    }

    @Override
    public void close() {
      closed = true;
      faults.removeWatch(drop);
      Watch followed = watch;
      if (followed != null) {
        followed.close();
      }
    }
  }
}
