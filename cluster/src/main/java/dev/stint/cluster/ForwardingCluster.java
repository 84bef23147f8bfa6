package dev.stint.cluster;

import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The base of clusters that wrap another one. Every request but watches goes through {@link #send},
 * which forwards it; subclasses override that method.
 */
public abstract class ForwardingCluster implements Cluster {
  private final Cluster cluster;

  /**
   * @param cluster the cluster that receives the requests
   */
  protected ForwardingCluster(Cluster cluster) {
    this.cluster = cluster;
  }

  /** Returns the cluster that receives the requests. */
  protected final Cluster cluster() {
    return cluster;
  }

  /**
   * Sends a request.
   *
   * @param request the request
   * @param sending forwards the request; each call sends it once more
   */
  protected <T extends @Nullable Object> CompletableFuture<T> send(
      ClusterRequest request, Supplier<CompletableFuture<T>> sending) {
    return sending.get();
  }

  @Override
  public CompletableFuture<KubeObject> get(ObjectRef ref) {
    return send(ClusterRequest.get(ref), () -> cluster.get(ref));
  }

  @Override
  public CompletableFuture<ObjectList> list(Kind kind, @Nullable String namespace) {
    return send(ClusterRequest.list(kind, namespace, true), () -> cluster.list(kind, namespace));
  }

  /** Lists in parts. Not repeatable: only the receiver of the parts knows how to start anew. */
  @Override
  public CompletableFuture<String> list(
      Kind kind, @Nullable String namespace, Function<ObjectList, CompletableFuture<?>> each) {
    return send(
        ClusterRequest.list(kind, namespace, false), () -> cluster.list(kind, namespace, each));
  }

  @Override
  public Watch watch(
      Kind kind, @Nullable String namespace, String afterRevision, WatchHandler handler) {
    return cluster.watch(kind, namespace, afterRevision, handler);
  }

  @Override
  public CompletableFuture<KubeObject> create(KubeObject object) {
    return sendKnown(object, ClusterRequest::create, () -> cluster.create(object));
  }

  @Override
  public CompletableFuture<KubeObject> update(KubeObject object) {
    return sendUpdate(object, "", () -> cluster.update(object));
  }

  @Override
  public CompletableFuture<KubeObject> updateStatus(KubeObject object) {
    return sendUpdate(object, "status", () -> cluster.updateStatus(object));
  }

  @Override
  public CompletableFuture<KubeObject> patch(ObjectRef ref, ObjectNode mergePatch) {
    return send(ClusterRequest.patch(ref, "", mergePatch), () -> cluster.patch(ref, mergePatch));
  }

  @Override
  public CompletableFuture<KubeObject> patchStatus(ObjectRef ref, ObjectNode mergePatch) {
    return send(
        ClusterRequest.patch(ref, "status", mergePatch),
        () -> cluster.patchStatus(ref, mergePatch));
  }

  @Override
  public CompletableFuture<KubeObject> updateFinalize(KubeObject namespace) {
    return sendUpdate(namespace, "finalize", () -> cluster.updateFinalize(namespace));
  }

  @Override
  public CompletableFuture<@Nullable Void> delete(ObjectRef ref, DeleteOptions options) {
    return send(ClusterRequest.delete(ref, options), () -> cluster.delete(ref, options));
  }

  private CompletableFuture<KubeObject> sendUpdate(
      KubeObject object, String subresource, Supplier<CompletableFuture<KubeObject>> sending) {
    return sendKnown(object, known -> ClusterRequest.update(known, subresource), sending);
  }

  /** Sends a request about an object; fails if its kind is unknown, so that it has no address. */
  private CompletableFuture<KubeObject> sendKnown(
      KubeObject object,
      Function<KubeObject, ClusterRequest> request,
      Supplier<CompletableFuture<KubeObject>> sending) {
    if (Kind.of(object.apiVersion(), object.kindName()).isEmpty()) {
      return CompletableFuture.failedFuture(
          new ClusterException(
              ClusterException.Reason.BAD_REQUEST,
              "unknown kind " + object.apiVersion() + " " + object.kindName()));
    }
    return send(request.apply(object), sending);
  }
}
