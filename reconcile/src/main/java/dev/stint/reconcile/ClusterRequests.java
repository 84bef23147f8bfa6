package dev.stint.reconcile;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Requests that several controllers make. */
public final class ClusterRequests {
  public static final CompletableFuture<@Nullable Void> NOTHING =
      CompletableFuture.completedFuture(null);

  private ClusterRequests() {}

  public static boolean hasReason(Throwable failure, Reason reason) {
    return ClusterException.causeOf(failure) instanceof ClusterException refused
        && refused.reason() == reason;
  }

  /** True if a request was not sent, since this process may not write any more. */
  public static boolean isWithheld(Throwable failure) {
    return ClusterException.causeOf(failure) instanceof ClusterException refused
        && refused.isWithheld();
  }

  /** True if a request that failed may have been carried out. */
  public static boolean isOutcomeUnknown(Throwable failure) {
    return !(ClusterException.causeOf(failure) instanceof ClusterException answer)
        || answer.isOutcomeUnknown();
  }

  /** Returns the object; null if there is none. */
  public static CompletableFuture<@Nullable KubeObject> find(Cluster cluster, ObjectRef ref) {
    return cluster
        .get(ref)
        .<@Nullable KubeObject>thenApply(object -> object)
        .exceptionallyCompose(failure ->
            hasReason(failure, Reason.NOT_FOUND)
                ? none()
                : CompletableFuture.failedFuture(failure));
  }

  private static CompletableFuture<@Nullable KubeObject> none() {
    return CompletableFuture.completedFuture(null);
  }

  /** Returns the request with {@code NOT_FOUND} treated as success. */
  public static CompletableFuture<@Nullable Void> unlessGone(
      CompletableFuture<? extends @Nullable Object> request) {
    return request
        .<@Nullable Void>thenApply(_ -> null)
        .exceptionallyCompose(failure ->
            hasReason(failure, Reason.NOT_FOUND)
                ? NOTHING
                : CompletableFuture.failedFuture(failure));
  }

  /**
   * Patches an object's metadata, based on its newest state. Fails with {@code CONFLICT} if that
   * changes meanwhile.
   *
   * @param uid the object's uid; another object of the same name is left alone
   * @param change the members to set; null for nothing to change
   */
  public static CompletableFuture<@Nullable Void> patchMetadata(
      Cluster cluster,
      ObjectRef ref,
      String uid,
      Function<KubeObject, @Nullable ObjectNode> change) {
    return find(cluster, ref)
        .thenCompose(object -> {
          ObjectNode metadata =
              object == null || !object.uid().equals(uid) ? null : change.apply(object);
          if (object == null || metadata == null) {
            return NOTHING;
          }
          metadata.put("uid", uid).put("resourceVersion", object.resourceVersion());
          ObjectNode patch = Json.object();
          patch.set("metadata", metadata);
          return unlessGone(cluster.patch(ref, patch));
        });
  }

  /**
   * Makes a request for each item, at most {@code width} at once. Fails when one fails, and then
   * makes no more.
   */
  public static <T> CompletableFuture<@Nullable Void> each(
      Iterable<T> many, int width, Function<T, CompletableFuture<?>> request) {
    Iterator<T> left = many.iterator();
    CompletableFuture<?>[] lanes = new CompletableFuture<?>[width];
    for (int lane = 0; lane < width; lane++) {
      lanes[lane] = lane(left, request);
    }
    return CompletableFuture.allOf(lanes).thenApply(_ -> null);
  }

  private static <T> CompletableFuture<?> lane(
      Iterator<T> left, Function<T, CompletableFuture<?>> request) {
    CompletableFuture<?> last = NOTHING;
    while (true) {
      T next;
      synchronized (left) {
        if (!left.hasNext()) {
          return last;
        }
        next = left.next();
      }
      CompletableFuture<?> answer = request.apply(next);
      if (!answer.isDone()) {
        return answer.thenCompose(_ -> lane(left, request));
      }
      if (answer.isCompletedExceptionally()) {
        return answer;
      }
      last = answer;
    }
  }
}
