package dev.stint.cluster;

import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A Kubernetes API. Futures fail with {@link ClusterException} and nothing else.
 *
 * <p>Answers may arrive on any thread. An answer to a write means that the write is durable.
 */
public interface Cluster {
  /** Returns an object. Fails with {@code NOT_FOUND} if there is no such object. */
  CompletableFuture<KubeObject> get(ObjectRef ref);

  /** Returns all objects of a kind, in one namespace or (null) in all, at one revision. */
  CompletableFuture<ObjectList> list(Kind kind, @Nullable String namespace);

  /**
   * Lists in parts, so that the whole list is never held at once.
   *
   * @param each receives the parts in order, on any thread; the next one is requested when the
   *     returned future completes. A part of another revision than the one before starts the list
   *     anew; a list that starts anew at the same revision repeats its parts.
   * @return completes with the revision of the parts since the last start, at least one
   */
  default CompletableFuture<String> list(
      Kind kind, @Nullable String namespace, Function<ObjectList, CompletableFuture<?>> each) {
    return list(kind, namespace)
        .thenCompose(all -> each.apply(all).thenApply(_ -> all.resourceVersion()));
  }

  /**
   * Reports every change after a revision, in order, without gaps, until closed or ended by {@link
   * WatchHandler#onClosed}.
   *
   * @param namespace null for all namespaces
   * @param afterRevision a list's or an object's resource version
   */
  Watch watch(Kind kind, @Nullable String namespace, String afterRevision, WatchHandler handler);

  CompletableFuture<KubeObject> create(KubeObject object);

  /**
   * Replaces all but the status. Fails with {@code CONFLICT} if the object's resource version is
   * not the newest.
   */
  CompletableFuture<KubeObject> update(KubeObject object);

  /**
   * Replaces the status, and metadata such as labels, as Kubernetes does; never the spec. Fails
   * with {@code CONFLICT} like {@link #update}.
   */
  CompletableFuture<KubeObject> updateStatus(KubeObject object);

  /**
   * Applies a JSON merge patch (RFC 7386) to all but the status. A {@code metadata.uid} or {@code
   * metadata.resourceVersion} in the patch is a precondition: the patch fails with {@code CONFLICT}
   * if it does not hold.
   */
  CompletableFuture<KubeObject> patch(ObjectRef ref, ObjectNode mergePatch);

  /** Patches the status and metadata as {@link #patch} does the other fields. */
  CompletableFuture<KubeObject> patchStatus(ObjectRef ref, ObjectNode mergePatch);

  /**
   * Replaces the {@code spec.finalizers} of a namespace and nothing else; removing the last one
   * from a namespace that is being deleted completes the deletion. Fails with {@code CONFLICT} like
   * {@link #update}.
   */
  CompletableFuture<KubeObject> updateFinalize(KubeObject namespace);

  /** Deletes an object, or marks it as being deleted if finalizers or a grace period hold it. */
  CompletableFuture<@Nullable Void> delete(ObjectRef ref, DeleteOptions options);
}
