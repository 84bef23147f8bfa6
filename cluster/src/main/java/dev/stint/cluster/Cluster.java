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
  /** Fails with {@code NOT_FOUND} where there is no such object. */
  CompletableFuture<KubeObject> get(ObjectRef ref);

  /** All objects of a kind, in one namespace or (null) in all, at one revision. */
  CompletableFuture<ObjectList> list(Kind kind, @Nullable String namespace);

  /**
   * The same, in parts as they come, so that nobody has to hold all of it at once.
   *
   * @param each takes the parts in order, on any thread; the next one is asked for when what it
   *     returned is complete. A part of another revision than the one before is the first of a list
   *     that began anew; one that began anew at the same revision repeats what came before.
   * @return completes with the revision of the parts since the last beginning, one at least
   */
  default CompletableFuture<String> list(
      Kind kind, @Nullable String namespace, Function<ObjectList, CompletableFuture<?>> each) {
    return list(kind, namespace)
        .thenCompose(all -> each.apply(all).thenApply(_ -> all.resourceVersion()));
  }

  /**
   * Reports every change after a revision, in order, without gaps, until closed or ended by {@link
   * WatchHandler#closed}.
   *
   * @param namespace null for all namespaces
   * @param afterRevision a list's or an object's resource version
   */
  Watch watch(Kind kind, @Nullable String namespace, String afterRevision, WatchHandler handler);

  CompletableFuture<KubeObject> create(KubeObject object);

  /**
   * Replaces all but the status. Fails with {@code CONFLICT} where the object's resource version is
   * not the newest.
   */
  CompletableFuture<KubeObject> update(KubeObject object);

  /**
   * Replaces the status, and metadata such as labels, as Kubernetes has it; never the spec. Fails
   * with {@code CONFLICT} like {@link #update}.
   */
  CompletableFuture<KubeObject> updateStatus(KubeObject object);

  /**
   * Applies a JSON merge patch (RFC 7386) to all but the status. A {@code metadata.uid} or {@code
   * metadata.resourceVersion} in the patch is a precondition: {@code CONFLICT} where it does not
   * hold.
   */
  CompletableFuture<KubeObject> patch(ObjectRef ref, ObjectNode mergePatch);

  /** Like {@link #patch}, for the status and metadata. */
  CompletableFuture<KubeObject> patchStatus(ObjectRef ref, ObjectNode mergePatch);

  /**
   * Replaces the {@code spec.finalizers} of a namespace and nothing else; one that is being deleted
   * goes with the last of them. Fails with {@code CONFLICT} like {@link #update}.
   */
  CompletableFuture<KubeObject> updateFinalize(KubeObject namespace);

  /** Deletes, or marks as being deleted where finalizers or a grace period hold the object. */
  CompletableFuture<@Nullable Void> delete(ObjectRef ref, DeleteOptions options);
}
