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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A simulated network between a client and an API. Requests and answers travel on an executor and
 * may get lost, so a request may have been carried out even if its answer is missing. Watches lag
 * behind, stall and break.
 */
final class Network extends ForwardingCluster {
  private final Executor wire;
  private final Supplier<Executor> lines;
  private final RequestDelivery.Draw luck;
  private final Consumer<KubeObject> answers;
  private final List<Link> links = new ArrayList<>();
  private final List<Runnable> stalled = new ArrayList<>();
  private boolean stalls;

  /**
   * @param wire carries requests and answers
   * @param lines creates the executor that carries a watch's events, in order
   * @param luck of each request
   * @param answers receives every object in an answer before the caller does
   */
  Network(
      Cluster api,
      Executor wire,
      Supplier<Executor> lines,
      RequestDelivery.Draw luck,
      Consumer<KubeObject> answers) {
    super(api);
    this.wire = wire;
    this.lines = lines;
    this.luck = luck;
    this.answers = answers;
  }

  /** A watch that can be broken. */
  private final class Link implements Watch, WatchHandler {
    private final WatchHandler handler;
    private final Executor line = lines.get();
    private @Nullable Watch watch;
    private boolean ended;

    Link(WatchHandler handler) {
      this.handler = handler;
    }

    @Override
    public void onEvent(WatchEvent event) {
      onEvents(List.of(event));
    }

    @Override
    public void onEvents(List<WatchEvent> batch) {
      travel(() -> {
        if (!ended) {
          handler.onEvents(batch);
        }
      });
    }

    @Override
    public void onClosed(@Nullable ClusterException cause) {
      travel(() -> end(cause));
    }

    private void travel(Runnable news) {
      Runnable departure = () -> line.execute(news);
      if (stalls) {
        stalled.add(departure);
      } else {
        departure.run();
      }
    }

    private void end(@Nullable ClusterException cause) {
      if (!ended) {
        ended = true;
        links.remove(this);
        handler.onClosed(cause);
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
      end(cause);
    }
  }

  /** Holds back all events until {@link #flow}. */
  void stall() {
    stalls = true;
  }

  /** Delivers all events that were held back. */
  void flow() {
    stalls = false;
    List.copyOf(stalled).forEach(Runnable::run);
    stalled.clear();
  }

  /** Ends all watches, as when an API restarts or forgets old revisions. */
  void breakWatches(@Nullable ClusterException cause) {
    List.copyOf(links).forEach(link -> link.cut(cause));
  }

  /** Delivers the list as one part, which travels like any answer. */
  @Override
  public CompletableFuture<String> list(
      Kind kind, @Nullable String namespace, Function<ObjectList, CompletableFuture<?>> each) {
    return list(kind, namespace)
        .thenCompose(all -> each.apply(all).thenApply(_ -> all.resourceVersion()));
  }

  @Override
  public Watch watch(
      Kind kind, @Nullable String namespace, String afterRevision, WatchHandler handler) {
    Link link = new Link(handler);
    links.add(link);
    link.watch = cluster().watch(kind, namespace, afterRevision, link);
    return link;
  }

  /** Sends objects of custom kinds, too, whose address only the API knows. */
  @Override
  public CompletableFuture<KubeObject> create(KubeObject object) {
    return send(true, () -> cluster().create(object));
  }

  @Override
  protected <T extends @Nullable Object> CompletableFuture<T> send(
      ClusterRequest request, Supplier<CompletableFuture<T>> sending) {
    return send(request.verb() == ClusterRequest.Verb.CREATE, sending);
  }

  private <T extends @Nullable Object> CompletableFuture<T> send(
      boolean creates, Supplier<CompletableFuture<T>> sending) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    RequestDelivery fate = luck.of(creates);
    wire.execute(() -> {
      if (fate == RequestDelivery.REQUEST_LOST) {
        answer.completeExceptionally(lost());
      } else {
        sending.get().whenComplete((value, failure) -> answer(answer, fate, value, failure));
      }
    });
    return answer;
  }

  private <T extends @Nullable Object> void answer(
      CompletableFuture<T> answer, RequestDelivery fate, T value, @Nullable Throwable failure) {
    if (value instanceof KubeObject object) {
      answers.accept(object);
    }
    wire.execute(() -> {
      if (fate == RequestDelivery.ANSWER_LOST) {
        answer.completeExceptionally(lost());
      } else if (failure != null) {
        answer.completeExceptionally(ClusterException.causeOf(failure));
      } else {
        answer.complete(value);
      }
    });
  }

  private static ClusterException lost() {
    return new ClusterException(ClusterException.Reason.TIMEOUT, "nobody answered in time");
  }
}
