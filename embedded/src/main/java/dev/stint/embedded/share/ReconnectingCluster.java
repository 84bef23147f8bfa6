package dev.stint.embedded.share;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.ObjectList;
import dev.stint.cluster.Watch;
import dev.stint.cluster.WatchEvent;
import dev.stint.cluster.WatchHandler;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The cluster of a data directory, whichever process holds it. When its holder ends, requests wait
 * for the next one, and are sent again; watches expire, so that their owners list again.
 */
public final class ReconnectingCluster implements Cluster {
  private CompletableFuture<Cluster> target = new CompletableFuture<>();

  /** Fails the requests that are not answered yet, in the order in which they were sent. */
  private final Set<Runnable> unanswered = Collections.synchronizedSet(new LinkedHashSet<>());

  private final Set<SwitchedWatch> watches = Collections.synchronizedSet(new LinkedHashSet<>());

  /** Sends all requests to a cluster from now on. */
  public void connect(Cluster cluster) {
    CompletableFuture<Cluster> next;
    synchronized (this) {
      if (target.isDone()) {
        target = new CompletableFuture<>();
      }
      next = target;
    }
    next.complete(cluster);
  }

  /** Makes requests wait for the next cluster, including those that are not answered yet. */
  public void disconnect() {
    synchronized (this) {
      if (target.isDone()) {
        target = new CompletableFuture<>();
      }
    }
    List.copyOf(unanswered).forEach(Runnable::run);
    List.copyOf(watches).forEach(SwitchedWatch::expire);
  }

  /** Fails all requests from now on, since there is no cluster any more. */
  public void fail(ClusterException cause) {
    CompletableFuture<Cluster> next;
    synchronized (this) {
      if (target.isDone()) {
        target = new CompletableFuture<>();
      }
      next = target;
    }
    next.completeExceptionally(cause);
  }

  private synchronized CompletableFuture<Cluster> target() {
    return target;
  }

  private synchronized boolean isCurrent(Cluster cluster) {
    return target.isDone() && !target.isCompletedExceptionally() && target.join() == cluster;
  }

  /** Returns the cluster after one that was lost. */
  private synchronized CompletableFuture<Cluster> after(Cluster lost) {
    if (isCurrent(lost)) {
      target = new CompletableFuture<>();
    }
    return target;
  }

  /** The meaning of a refusal if the same request may have been carried out before. */
  private interface Repetition<T extends @Nullable Object> {
    CompletableFuture<T> onRefusal(Cluster cluster, ClusterException refusal);
  }

  private <T extends @Nullable Object> CompletableFuture<T> send(
      Function<Cluster, CompletableFuture<T>> request, Repetition<T> repetition) {
    return target()
        .thenCompose(cluster ->
            answer(cluster, request.apply(cluster))
                .exceptionallyCompose(failure -> again(cluster, failure, request, repetition)));
  }

  /** Returns an answer that {@link #disconnect} can fail. */
  private <T extends @Nullable Object> CompletableFuture<T> answer(
      Cluster of, CompletableFuture<T> given) {
    CompletableFuture<T> answer = given.copy();
    Runnable fail = () -> answer.completeExceptionally(ClusterClient.loss("the last holder"));
    unanswered.add(fail);
    answer.whenComplete((_, _) -> unanswered.remove(fail));
    if (!isCurrent(of)) {
      fail.run();
    }
    return answer;
  }

  private <T extends @Nullable Object> CompletableFuture<T> again(
      Cluster cluster,
      Throwable failure,
      Function<Cluster, CompletableFuture<T>> request,
      Repetition<T> repetition) {
    if (!ClusterClient.isLoss(failure)) {
      return CompletableFuture.failedFuture(failure);
    }
    return after(cluster)
        .thenCompose(next ->
            answer(next, request.apply(next))
                .exceptionallyCompose(second -> {
                  Throwable cause = ClusterException.causeOf(second);
                  return !ClusterClient.isLoss(second) && cause instanceof ClusterException refusal
                      ? settle(next, refusal, request, repetition)
                      : again(next, second, request, repetition);
                }));
  }

  /** Finds out what a refusal means; if this holder ends, too, the next one is asked. */
  private <T extends @Nullable Object> CompletableFuture<T> settle(
      Cluster cluster,
      ClusterException refusal,
      Function<Cluster, CompletableFuture<T>> request,
      Repetition<T> repetition) {
    return answer(cluster, repetition.onRefusal(cluster, refusal))
        .exceptionallyCompose(failure -> again(cluster, failure, request, repetition));
  }

  private <T> CompletableFuture<T> read(Function<Cluster, CompletableFuture<T>> request) {
    return send(request, (_, refusal) -> CompletableFuture.failedFuture(refusal));
  }

  /** Sends a write; a repeated one that is refused has succeeded if the object is as written. */
  private CompletableFuture<KubeObject> write(
      ObjectRef ref, JsonNode written, Function<Cluster, CompletableFuture<KubeObject>> request) {
    return send(
        request,
        (cluster, refusal) ->
            refusal.reason() == Reason.ALREADY_EXISTS || refusal.reason() == Reason.CONFLICT
                ? cluster
                    .get(ref)
                    .thenCompose(found ->
                        contains(found.tree(), written)
                            ? CompletableFuture.completedFuture(found)
                            : CompletableFuture.failedFuture(refusal))
                : CompletableFuture.failedFuture(refusal));
  }

  /**
   * True if one document has all members of another one. The revision is left out, since it is that
   * before the write.
   */
  static boolean contains(@Nullable JsonNode all, JsonNode part) {
    if (part.isNull()) {
      return all == null || all.isNull();
    }
    if (all == null) {
      return false;
    }
    if (part.isObject()) {
      return part.properties().stream()
          .filter(member -> !member.getKey().equals("resourceVersion"))
          .allMatch(member -> contains(all.get(member.getKey()), member.getValue()));
    }
    if (part.isArray() && all.isArray() && part.size() == all.size()) {
      for (int i = 0; i < part.size(); i++) {
        if (!contains(all.get(i), part.get(i))) {
          return false;
        }
      }
      return true;
    }
    return all.equals(part);
  }

  @Override
  public CompletableFuture<KubeObject> get(ObjectRef ref) {
    return read(cluster -> cluster.get(ref));
  }

  @Override
  public CompletableFuture<ObjectList> list(Kind kind, @Nullable String namespace) {
    return read(cluster -> cluster.list(kind, namespace));
  }

  @Override
  public CompletableFuture<String> list(
      Kind kind, @Nullable String namespace, Function<ObjectList, CompletableFuture<?>> each) {
    return read(cluster -> cluster.list(kind, namespace, each));
  }

  @Override
  public CompletableFuture<KubeObject> create(KubeObject object) {
    return write(object.ref(), object.tree(), cluster -> cluster.create(object));
  }

  @Override
  public CompletableFuture<KubeObject> update(KubeObject object) {
    return write(object.ref(), object.tree(), cluster -> cluster.update(object));
  }

  @Override
  public CompletableFuture<KubeObject> updateStatus(KubeObject object) {
    return write(object.ref(), object.tree(), cluster -> cluster.updateStatus(object));
  }

  @Override
  public CompletableFuture<KubeObject> patch(ObjectRef ref, ObjectNode mergePatch) {
    return write(ref, mergePatch, cluster -> cluster.patch(ref, mergePatch));
  }

  @Override
  public CompletableFuture<KubeObject> patchStatus(ObjectRef ref, ObjectNode mergePatch) {
    return write(ref, mergePatch, cluster -> cluster.patchStatus(ref, mergePatch));
  }

  @Override
  public CompletableFuture<KubeObject> updateFinalize(KubeObject namespace) {
    return write(namespace.ref(), namespace.tree(), cluster -> cluster.updateFinalize(namespace));
  }

  @Override
  public CompletableFuture<@Nullable Void> delete(ObjectRef ref, DeleteOptions options) {
    return send(
        cluster -> cluster.delete(ref, options),
        (_, refusal) ->
            refusal.reason() == Reason.NOT_FOUND
                ? CompletableFuture.completedFuture(null)
                : CompletableFuture.failedFuture(refusal));
  }

  @Override
  public Watch watch(
      Kind kind, @Nullable String namespace, String afterRevision, WatchHandler handler) {
    SwitchedWatch watch = new SwitchedWatch(handler);
    target()
        .whenComplete((cluster, failure) -> {
          if (failure != null) {
            watch.onClosed((ClusterException) ClusterException.causeOf(failure));
          } else {
            watch.open(cluster, kind, namespace, afterRevision);
          }
        });
    return watch;
  }

  /** A watch that expires when its cluster is lost. */
  private final class SwitchedWatch implements Watch, WatchHandler {
    private final WatchHandler handler;
    private @Nullable Cluster cluster;
    private @Nullable Watch open;
    private boolean closed;

    private SwitchedWatch(WatchHandler handler) {
      this.handler = handler;
    }

    private void open(Cluster of, Kind kind, @Nullable String namespace, String afterRevision) {
      synchronized (this) {
        if (closed) {
          return;
        }
        cluster = of;
      }
      watches.add(this);
      Watch opened = of.watch(kind, namespace, afterRevision, this);
      synchronized (this) {
        open = opened;
        if (!closed && isCurrent(of)) {
          return;
        }
      }
      expire();
      opened.close();
    }

    private synchronized boolean isClosed() {
      return closed;
    }

    @Override
    public void onEvent(WatchEvent event) {
      onEvents(List.of(event));
    }

    @Override
    public void onEvents(List<WatchEvent> batch) {
      if (!isClosed()) {
        handler.onEvents(batch);
      }
    }

    @Override
    public void onClosed(@Nullable ClusterException cause) {
      if (isClosed()) {
        return;
      }
      Cluster of = cluster;
      if (cause != null && of != null && ClusterClient.isLoss(cause)) {
        after(of);
        expire();
      } else {
        watches.remove(this);
        handler.onClosed(cause);
      }
    }

    /** Ends the watch, whose owner lists again. */
    private void expire() {
      synchronized (this) {
        if (closed) {
          return;
        }
        closed = true;
      }
      watches.remove(this);
      handler.onClosed(new ClusterException(Reason.GONE, "another process serves it now"));
    }

    @Override
    public void close() {
      watches.remove(this);
      Watch opened;
      synchronized (this) {
        closed = true;
        opened = open;
      }
      if (opened != null) {
        opened.close();
      }
    }
  }
}
