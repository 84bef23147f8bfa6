package dev.stint.jobs;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Blocking calls to the API, for threads that may wait. */
public final class ApiCalls {
  private ApiCalls() {}

  /**
   * Reads an object; returns null if it does not exist.
   *
   * @throws ClusterException if the API refuses the request
   */
  public static @Nullable KubeObject find(Cluster cluster, ObjectRef ref) {
    try {
      return await(cluster.get(ref));
    } catch (ClusterException refused) {
      if (refused.reason() == Reason.NOT_FOUND) {
        return null;
      }
      throw refused;
    }
  }

  /**
   * Waits for an answer.
   *
   * @throws ClusterException if the API refuses the request
   */
  public static <T> T await(CompletableFuture<T> answer) {
    try {
      return answer.get();
    } catch (ExecutionException | CompletionException failure) {
      Throwable cause = ClusterException.causeOf(failure);
      if (cause instanceof ExecutionException wrapped && wrapped.getCause() != null) {
        cause = wrapped.getCause();
      }
      if (cause instanceof ClusterException refused) {
        throw refused;
      }
      throw new IllegalStateException(cause);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }
}
